/* What the harness calls (through ctypes) of the library that it preloads into the server. */
#include "preload.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps a whole file, shared; NULL if it can't, or if it doesn't start with `magic` (0: any). The
 * harness maps with it too: Python's own maps go away at exit, while libFuzzer still reads. */
EXPORT void *astfuzz_map_file(const char *path, bool writable, uint64_t magic, size_t least)
{
    struct stat status;
    int fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (!fstat(fd, &status) && (size_t)status.st_size >= least)
        memory = mmap(NULL, (size_t)status.st_size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                      MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        return NULL;
    if (!magic || *(uint64_t *)memory == magic)
        return memory;
    munmap(memory, (size_t)status.st_size);
    return NULL;
}

EXPORT void astfuzz_unmap(void *memory, size_t size) { munmap(memory, size); }

static bool known_well(struct map_header *shared, uint32_t block)
{
    return shared->max_hits && map_bytes(shared, shared->hits_at)[block] >= shared->max_hits;
}

static void arm(const struct map_header *shared, const struct table_header *table, uint8_t *text,
                uint32_t block)
{
    const uint32_t *addresses = (const uint32_t *)(table + 1);
    __atomic_store_n(text + (addresses[block] - shared->text_start), INT3, __ATOMIC_RELEASE);
}

/* Arms the blocks of a new server, except what is known well; `text` is the harness's view of
 * the server's memfd. */
EXPORT void astfuzz_arm(struct map_header *shared, const struct table_header *table, uint8_t *text)
{
    uint32_t armed = 0;
    for (uint32_t block = 0; block < table->block_count; block++)
        if (!known_well(shared, block)) {
            arm(shared, table, text, block);
            armed++;
        }
    shared->armed = armed;
}

/* Arms what was hit since the last call, as far as the map's limits allow. Returns the
 * number of blocks armed. */
EXPORT uint32_t astfuzz_rearm(struct map_header *shared, const struct table_header *table,
                              uint8_t *text)
{
    uint32_t *list = map_words(shared, shared->list_at), armed = 0;
    const uint8_t *idle = map_bytes(shared, shared->idle_at);
    uint64_t length = (uint64_t)shared->block_capacity + MAP_LIST_SLACK;
    uint64_t head = __atomic_load_n(&shared->list_head, __ATOMIC_ACQUIRE);
    uint64_t tail = shared->list_tail;
    for (; tail != head; tail++) {
        uint32_t entry = __atomic_exchange_n(list + tail % length, 0, __ATOMIC_ACQUIRE);
        if (entry == 0)
            break; /* a thread has its place but hasn't written yet: the next call takes it */
        uint32_t block = entry - 1;
        if (known_well(shared, block))
            continue;
        if (idle[block] > shared->max_idle)
            continue; /* background threads keep hitting it: let them run at full speed */
        arm(shared, table, text, block);
        armed++;
    }
    shared->list_tail = tail;
    shared->generation++;
    return armed;
}

/* Adds `count` raw sanitizer counters to the dense map as blocks from `first` on, and clears
 * them; only clears them while nobody is credited. Returns how many were set. */
EXPORT uint32_t astfuzz_fold(struct map_header *shared, uint8_t *counters, uint64_t count,
                             uint32_t first)
{
    uint32_t set = 0, limit = shared->credit_mode == CREDIT_NONE ? 0 : shared->block_capacity;
    for (uint64_t at = 0; at < count;) {
        uint64_t eight;
        if (count - at >= 8) { /* most are zero: look at eight at a time */
            memcpy(&eight, counters + at, 8);
            if (eight == 0) {
                at += 8;
                continue;
            }
        }
        for (uint64_t end = count - at >= 8 ? at + 8 : count; at < end; at++)
            if (counters[at]) {
                if (first + at < limit)
                    map_credit(shared, first + (uint32_t)at, counters[at]);
                counters[at] = 0;
                set++;
            }
    }
    return set;
}

/* Sizes and offsets as the compiler sees them; shared_map.py's must be the same. */
EXPORT size_t astfuzz_layout(size_t index)
{
    static const size_t layout[] = {
        MAP_VERSION, sizeof(struct map_header), sizeof(struct table_header),
        sizeof(struct raw_header), sizeof(struct raw_module),
        offsetof(struct map_header, text_start), offsetof(struct map_header, slots_at),
        offsetof(struct map_header, connections), offsetof(struct map_header, prefixes),
        offsetof(struct map_header, build_id), offsetof(struct map_header, message),
        MAP_LIST_SLACK};
    return index < sizeof layout / sizeof *layout ? layout[index] : 0;
}
