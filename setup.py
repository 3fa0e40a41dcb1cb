"""Builds the preload library; everything else is in pyproject.toml."""

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildPreload(build_ext):
    """For a library that is loaded into the server: it must not bring libpython along."""

    def get_libraries(self, ext: Extension) -> list[str]:
        return list(ext.libraries)


setup(
    cmdclass={"build_ext": BuildPreload},
    ext_modules=[
        Extension(
            "harness.coverage._preload",
            sources=[
                "harness/coverage/preload.c",
                "harness/coverage/preload_harness.c",
                "harness/coverage/preload_sancov.c",
            ],
            depends=["harness/coverage/preload.h"],
            libraries=["dl"],
            extra_compile_args=[
                "-std=gnu11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-fvisibility=hidden",
                # The trap handler runs on any stack, in threads that may have little of it.
                "-fno-stack-protector",
            ],
            optional=True,  # without a compiler the fuzzer works, and has no server coverage
        )
    ],
)
