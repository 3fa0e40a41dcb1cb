/* Basic-block coverage of an unmodified server, by breakpoints that remove themselves.
 *
 * Preloaded into the server: copies its text into a memfd and maps the copy over the text. The
 * harness maps the same memfd and puts int3 at the first byte of blocks (preload_harness.c). A
 * trap restores the byte, credits the block in the shared map and runs the instruction. Running
 * threads see only one-byte changes between an instruction's own first byte and int3, the safe
 * case of cross-modifying code. */
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define BUCKET 128 /* bytes of text for each entry of the index */
#define NO_BLOCK UINT32_MAX
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

static struct map_header *map;
static const uint32_t *addresses; /* of the blocks: file addresses, sorted */
static const uint8_t *first_bytes;
static uint32_t block_count;
static uint32_t *first_block;     /* by bucket: the first block at or after its start */
static uint8_t *text_alias;       /* the writable view of the text */
static uintptr_t base;            /* load address of the main program */
static uintptr_t text_start;      /* file address, page-aligned */
static size_t text_size;
static bool active;               /* SIGTRAP is ours */
static struct sigaction program_action; /* what the program wants done with SIGTRAP */

/* ---- the trap ---- */

/* A raw call: libc's prctl could set errno, which belongs to the interrupted code. */
static long raw_syscall2(long number, long first, long second)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second)
                     : "rcx", "r11", "memory");
    return result;
}

/* Does this thread work for the fuzzer? Read at each trap: a system call of 0.1 us, and no
 * thread-local state to go stale when a thread changes its name. */
static bool thread_is_credited(void)
{
    char name[NAME_SIZE + 1] = {0};
    if (map->credit_mode != CREDIT_BY_NAME)
        return map->credit_mode == CREDIT_EVERY_THREAD;
    raw_syscall2(SYS_prctl, PR_GET_NAME, (long)name);
    if (!memcmp(name, "conn", 4) && name[4] >= '0' && name[4] <= '9') {
        uint32_t wanted = __atomic_load_n(&map->connection_count, __ATOMIC_ACQUIRE), number = 0;
        if (wanted == 0)
            return true;
        for (const char *digit = name + 4; *digit >= '0' && *digit <= '9'; digit++)
            number = number * 10 + (uint32_t)(*digit - '0');
        for (uint32_t i = 0; i < wanted && i < MAX_CONNECTIONS; i++)
            if (map->connections[i] == number)
                return true;
        return false;
    }
    for (uint32_t i = 0; i < map->prefix_count && i < MAX_PREFIXES; i++) {
        const char *prefix = map->prefixes[i];
        size_t length = strnlen(prefix, NAME_SIZE);
        if (length && !memcmp(name, prefix, length))
            return true;
    }
    return false;
}

static uint32_t find_block(uintptr_t address)
{
    if (address - text_start >= text_size)
        return NO_BLOCK;
    uint32_t block = first_block[(address - text_start) / BUCKET];
    while (block < block_count && addresses[block] < address)
        block++;
    return block < block_count && addresses[block] == address ? block : NO_BLOCK;
}

/* The harness takes blocks from this ring to arm them again. Full (never seen: it is longer
 * than there are blocks) means that the oldest entry is lost, and its block stays disarmed. */
static void list_push(uint32_t block)
{
    uint64_t at = __atomic_fetch_add(&map->list_head, 1, __ATOMIC_RELAXED);
    uint32_t *list = map_words(map, map->list_at);
    __atomic_store_n(list + at % (map->block_capacity + MAP_LIST_SLACK), block + 1,
                     __ATOMIC_RELEASE);
}

/* A SIGTRAP that isn't ours (raise, the program's own int3): as if we weren't here. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    if (program_action.sa_flags & SA_SIGINFO)
        program_action.sa_sigaction(number, info, context);
    else if (program_action.sa_handler == SIG_IGN && info->si_code <= 0)
        return; /* sent by a process; the kernel doesn't let a real trap be ignored */
    else if (program_action.sa_handler != SIG_DFL && program_action.sa_handler != SIG_IGN)
        program_action.sa_handler(number);
    else {
        active = false;
        signal(number, SIG_DFL);
        raise(number); /* delivered, and deadly, when this handler returns */
    }
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t address = (uintptr_t)registers[REG_RIP] - 1 - base;
    uint32_t block = info->si_code > 0 ? find_block(address) : NO_BLOCK;
    if (block == NO_BLOCK) {
        pass_on(number, info, context);
        return;
    }
    /* Also right when another thread has restored the byte meanwhile: the instruction is
     * run (again) from its start in any case. Restore first, list after: a re-arm between
     * the two finds the block in its next list. */
    __atomic_store_n(text_alias + (address - text_start), first_bytes[block], __ATOMIC_RELEASE);
    registers[REG_RIP]--;
    __atomic_fetch_add(&map->traps, 1, __ATOMIC_RELAXED);
    if (thread_is_credited())
        map_credit(map, block, 1);
    else {
        uint8_t *idle = map_bytes(map, map->idle_at) + block;
        if (*idle != UINT8_MAX)
            ++*idle;
    }
    list_push(block);
}

/* ---- SIGTRAP stays open, and the handler stays ours ---- */

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) \
        next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static const sigset_t *without_trap(const sigset_t *set, sigset_t *copy)
{
    if (!set || !active)
        return set;
    *copy = *set;
    sigdelset(copy, SIGTRAP);
    return copy;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    NEXT(pthread_sigmask);
    sigset_t copy; /* unblocking SIGTRAP is harmless, so `how` doesn't matter */
    return next(how, without_trap(set, &copy), old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    NEXT(sigprocmask);
    sigset_t copy;
    return next(how, without_trap(set, &copy), old);
}

EXPORT int sigsuspend(const sigset_t *set)
{
    NEXT(sigsuspend);
    sigset_t copy; /* another signal's handler runs under this mask */
    return next(without_trap(set, &copy));
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    NEXT(sigaction);
    if (!active)
        return next(number, action, old);
    struct sigaction copy;
    if (number == SIGTRAP) {
        copy = program_action;
        if (action)
            program_action = *action;
        if (old)
            *old = copy;
        return 0;
    }
    if (action) {
        copy = *action;
        sigdelset(&copy.sa_mask, SIGTRAP);
        action = &copy;
    }
    return next(number, action, old);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    NEXT(signal);
    if (!active || number != SIGTRAP)
        return next(number, handler);
    sighandler_t old = program_action.sa_handler;
    program_action = (struct sigaction){.sa_handler = handler};
    return old;
}

/* ---- start ---- */

/* The first module listed is the main program: its load address, and its build-id if it has one. */
static int read_main_program(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = info->dlpi_phdr + i;
        if (header->p_type != PT_NOTE)
            continue;
        const uint8_t *at = (const uint8_t *)(base + header->p_vaddr), *end = at + header->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const uint8_t *name = at + sizeof *note;
            const uint8_t *value = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4))
                memcpy(result, value, note->n_descsz < 32 ? note->n_descsz : 32);
            at = value + ((note->n_descsz + 3) & ~3u);
        }
    }
    return 1;
}

/* Programs that the server starts must not get this library. */
static void clean_environment(void)
{
    unsetenv("ASTFUZZ_MAP");
    unsetenv("ASTFUZZ_BLOCKS");
    unsetenv("ASTFUZZ_SANCOV");
    const char *others = getenv("ASTFUZZ_LD_PRELOAD"); /* what the harness found set, if anything */
    if (others && *others)
        setenv("LD_PRELOAD", others, 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv("ASTFUZZ_LD_PRELOAD");
}

static const char *build_index(void)
{
    size_t buckets = text_size / BUCKET + 1;
    first_block = mmap(NULL, buckets * sizeof *first_block, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first_block == MAP_FAILED)
        return "no memory for the index of blocks";
    uint32_t block = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        while (block < block_count && addresses[block] < text_start + bucket * BUCKET)
            block++;
        first_block[bucket] = block;
    }
    return NULL;
}

/* Copies the text and maps the copy over it. The harness arms the blocks once the server is up:
 * the 100,000 blocks of its start would trap for nothing, 0.2 s. */
static const char *take_over(const struct table_header *table)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    text_start = table->text_start & ~(page - 1);
    text_size = ((table->text_end + page - 1) & ~(page - 1)) - text_start;
    void *text = (void *)(base + text_start);
    block_count = table->block_count;
    addresses = (const uint32_t *)(table + 1);
    first_bytes = (const uint8_t *)(addresses + block_count);
    if (block_count > map->block_capacity)
        return "the shared map is too small for the block table";
    for (uint32_t block = 0; block < block_count; block++)
        if (*(const uint8_t *)(base + addresses[block]) != first_bytes[block])
            return "the block table is not of this program: its bytes differ";
    const char *error = build_index();
    if (error)
        return error;
    /* The seal is about execve, and some systems insist on it; older kernels don't know it. */
    int fd = memfd_create("astfuzz-text", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (fd < 0)
        fd = memfd_create("astfuzz-text", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)text_size))
        return "no memory file for the text";
    text_alias = mmap(NULL, text_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (text_alias == MAP_FAILED)
        return "no memory for the copy of the text";
    memcpy(text_alias, text, text_size);
    if (map->list_head) { /* left by the server before; a new map is all zero, and sparse */
        memset(map_bytes(map, map->idle_at), 0, block_count);
        memset(map_bytes(map, map->list_at), 0,
               ((size_t)map->block_capacity + MAP_LIST_SLACK) * sizeof(uint32_t));
    }
    map->list_head = map->list_tail = 0;
    map->armed = 0;
    map->text_fd = fd;
    map->text_start = text_start;
    map->text_size = text_size;
    /* SA_NODEFER: the program's own SIGTRAP handler, called from ours, has breakpoints too. */
    struct sigaction ours = {.sa_sigaction = on_trap,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
    sigset_t trap;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    if (sigaction(SIGTRAP, &ours, &program_action) || pthread_sigmask(SIG_UNBLOCK, &trap, NULL))
        return "no handler for SIGTRAP";
    active = true;
    if (mmap(text, text_size, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0)
        == MAP_FAILED)
        return "the copy of the text can't be mapped executable";
    map->server_pid = getpid();
    return NULL;
}

__attribute__((constructor)) static void start(void)
{
    const char *map_path = getenv("ASTFUZZ_MAP"), *table_path = getenv("ASTFUZZ_BLOCKS");
    const char *raw_path = getenv("ASTFUZZ_SANCOV");
    if (raw_path && astfuzz_remap_counters(raw_path))
        clean_environment();
    if (!map_path || !table_path)
        return;
    uint8_t build_id[32] = {0};
    const struct table_header *table =
        astfuzz_map_file(table_path, false, TABLE_MAGIC, sizeof *table);
    dl_iterate_phdr(read_main_program, build_id);
    if (!table || memcmp(build_id, table->build_id, sizeof build_id))
        return; /* a wrapper around the server: the environment is for the program it starts */
    clean_environment();
    map = astfuzz_map_file(map_path, true, MAP_MAGIC, sizeof *map);
    if (!map || map->version != MAP_VERSION) {
        fprintf(stderr, "astfuzz: no shared map; the server runs without coverage\n");
        return;
    }
    map->server_pid = 0;
    const char *error = take_over(table);
    snprintf(map->message, sizeof map->message, "%s", error ? error : "");
}
