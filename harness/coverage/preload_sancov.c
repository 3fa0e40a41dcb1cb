/* The counters of a sanitizer build (-fsanitize-coverage=inline-8bit-counters,pc-table): the
 * pages that hold them are moved into a file that the harness maps too. */
#define _GNU_SOURCE
#include "preload.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_FLAG (1ull << 63)

struct section {
    uintptr_t address; /* in memory */
    size_t size;
};

static struct raw_header *raw;
static int raw_fd;
static struct section moved[RAW_MODULES]; /* whole pages */
static size_t moved_count;

static uintptr_t page_floor(uintptr_t address) { return address & ~((uintptr_t)getpagesize() - 1); }
static uintptr_t page_ceil(uintptr_t address)
{
    return page_floor(address + (uintptr_t)getpagesize() - 1);
}

/* Section headers aren't loaded: read them from the file. */
static bool find_sections(const char *path, uintptr_t base, struct section *counters,
                          struct section *pcs)
{
    struct stat status;
    int fd = open(*path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const uint8_t *file = MAP_FAILED;
    if (!fstat(fd, &status) && (size_t)status.st_size > sizeof(ElfW(Ehdr)))
        file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return false;
    size_t size = (size_t)status.st_size;
    const ElfW(Ehdr) *elf = (const void *)file;
    size_t headers_end = elf->e_shoff + (size_t)elf->e_shnum * sizeof(ElfW(Shdr));
    if (elf->e_shnum && headers_end <= size && elf->e_shstrndx < elf->e_shnum) {
        const ElfW(Shdr) *headers = (const void *)(file + elf->e_shoff);
        const ElfW(Shdr) *names = headers + elf->e_shstrndx;
        for (int i = 0; i < elf->e_shnum && names->sh_offset < size; i++) {
            const char *name = (const char *)file + names->sh_offset + headers[i].sh_name;
            struct section found = {base + headers[i].sh_addr, headers[i].sh_size};
            if (!strcmp(name, "__sancov_cntrs"))
                *counters = found;
            else if (!strcmp(name, "__sancov_pcs"))
                *pcs = found;
        }
    }
    munmap((void *)file, size);
    return counters->size != 0;
}

/* Moves the pages of one module's counters; what else lies on the first and last page moves
 * with them, unchanged. */
static int remap_module(struct dl_phdr_info *info, size_t size, void *failed)
{
    (void)size;
    struct section counters = {0}, pcs = {0};
    if (raw->module_count == RAW_MODULES ||
        !find_sections(info->dlpi_name, info->dlpi_addr, &counters, &pcs))
        return 0;
    uintptr_t start = page_floor(counters.address);
    size_t length = page_ceil(counters.address + counters.size) - start;
    size_t pcs_length = page_ceil(counters.size * sizeof(uint64_t));
    struct raw_module *module = raw->modules + raw->module_count;
    uint64_t at = raw->size;
    if (ftruncate(raw_fd, (off_t)(at + length + pcs_length)) ||
        pwrite(raw_fd, (void *)start, length, (off_t)at) != (ssize_t)length ||
        mmap((void *)start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, raw_fd,
             (off_t)at) == MAP_FAILED) {
        *(bool *)failed = true;
        return 1;
    }
    module->count = counters.size;
    module->counters_at = at + (counters.address - start);
    module->pcs_at = at + length;
    raw->size = at + length + pcs_length;
    strncpy(module->path, info->dlpi_name, sizeof module->path - 1);
    uint64_t *table = mmap(NULL, pcs_length, PROT_READ | PROT_WRITE, MAP_SHARED, raw_fd,
                           (off_t)module->pcs_at);
    if (table != MAP_FAILED) {
        const struct { uintptr_t pc, flags; } *entries = (const void *)pcs.address;
        for (size_t i = 0; i < counters.size && i < pcs.size / sizeof *entries; i++)
            table[i] = (entries[i].pc - info->dlpi_addr) | (entries[i].flags & 1 ? ENTRY_FLAG : 0);
        munmap(table, pcs_length);
    }
    moved[moved_count++] = (struct section){start, length};
    raw->module_count++;
    return 0;
}

/* A forked child must not share variables with its parent: it gets copies of the pages. */
static void unshare_in_child(void)
{
    for (size_t i = 0; i < moved_count; i++) {
        void *start = (void *)moved[i].address;
        void *copy = mmap(NULL, moved[i].size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (copy == MAP_FAILED)
            continue;
        memcpy(copy, start, moved[i].size);
        mremap(copy, moved[i].size, moved[i].size, MREMAP_MAYMOVE | MREMAP_FIXED, start);
    }
}

bool astfuzz_remap_counters(const char *path)
{
    bool failed = false;
    size_t header_size = page_ceil(sizeof *raw);
    raw_fd = open(path, O_RDWR | O_CLOEXEC);
    if (raw_fd < 0)
        return false;
    if (!ftruncate(raw_fd, (off_t)header_size))
        raw = mmap(NULL, header_size, PROT_READ | PROT_WRITE, MAP_SHARED, raw_fd, 0);
    if (!raw || raw == MAP_FAILED) {
        close(raw_fd);
        return false;
    }
    memset(raw, 0, header_size);
    raw->size = header_size;
    dl_iterate_phdr(remap_module, &failed);
    if (raw->module_count && !failed) {
        raw->magic = RAW_MAGIC; /* last: the harness may look from now on */
        pthread_atfork(NULL, NULL, unshare_in_child);
    }
    munmap(raw, header_size);
    close(raw_fd);
    return moved_count != 0;
}
