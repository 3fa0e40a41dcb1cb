/* The memory that the server and the harness share. shared_map.py mirrors this file:
 * tests/test_preload.py compares the two through astfuzz_layout(). */
#ifndef ASTFUZZ_PRELOAD_H
#define ASTFUZZ_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_MAGIC 0x3130504d465a5441ull   /* "ATZFMP01", little endian */
#define TABLE_MAGIC 0x31304b4c465a5441ull /* "ATZFLK01" */
#define RAW_MAGIC 0x31304e53465a5441ull   /* "ATZFSN01" */
#define MAP_VERSION 1u
#define MAX_CONNECTIONS 16
#define MAX_PREFIXES 64
#define NAME_SIZE 16           /* a Linux thread name, with its final zero */
#define INT3 0xCC
#define EXPORT __attribute__((visibility("default")))
#define SLOT_PENDING UINT32_MAX /* claimed: another thread is crediting it, or the map is full */

enum credit_mode { CREDIT_NONE, CREDIT_BY_NAME, CREDIT_EVERY_THREAD };

struct map_header {
    uint64_t magic;
    uint32_t version;
    uint32_t slot_count;      /* capacity of the dense map */
    uint32_t block_capacity;  /* length of the arrays by block */
    uint32_t next_slot;       /* next free dense index; may run past slot_count once full */
    uint32_t full;            /* 1: some new block found no slot */
    uint32_t max_hits;        /* K: blocks hit in fewer runs are armed again; 0: always */
    uint32_t max_idle;        /* N: times a block is re-armed for hits of uncredited threads */
    uint32_t credit_mode;
    uint32_t generation;      /* number of re-arms */
    uint32_t armed;           /* blocks armed when the harness took up this server */
    int32_t server_pid;       /* 0 until the library is at work */
    int32_t text_fd;          /* the server's text: /proc/<server_pid>/fd/<text_fd> */
    uint64_t text_start;      /* page-aligned file address of that text */
    uint64_t text_size;
    uint64_t traps;           /* every trap of ours, credited or not */
    uint64_t credits;
    uint64_t list_head;       /* blocks restored since the last re-arm: a ring */
    uint64_t list_tail;
    uint64_t slots_at;        /* offsets of the arrays in this file */
    uint64_t slot_to_block_at;
    uint64_t block_to_slot_at;
    uint64_t hits_at;
    uint64_t idle_at;
    uint64_t list_at;         /* uint32 ring of block + 1, block_capacity + MAP_LIST_SLACK long */
    uint32_t connection_count;
    uint32_t connections[MAX_CONNECTIONS];
    uint32_t prefix_count;
    char prefixes[MAX_PREFIXES][NAME_SIZE];
    uint8_t build_id[32];     /* of the program whose blocks these are */
    char message[256];        /* why the library does nothing, or empty */
};
#define MAP_LIST_SLACK 65536u

struct table_header {
    uint64_t magic;
    uint32_t version;
    uint32_t block_count;
    uint64_t text_start; /* file addresses, the end exclusive */
    uint64_t text_end;
    uint8_t build_id[32];
    /* then uint32 address[block_count], sorted; then uint8 first_byte[block_count] */
};

#define RAW_MODULES 32
struct raw_module {
    uint64_t count;       /* counters */
    uint64_t counters_at; /* offset in the raw file of the first one */
    uint64_t pcs_at;      /* offset of uint64 file addresses; the top bit marks an entry */
    char path[232];
};
struct raw_header {
    uint64_t magic;
    uint64_t module_count;
    uint64_t size; /* of the whole file */
    struct raw_module modules[RAW_MODULES];
};

static inline uint8_t *map_bytes(struct map_header *map, uint64_t at) { return (uint8_t *)map + at; }
static inline uint32_t *map_words(struct map_header *map, uint64_t at)
{
    return (uint32_t *)(void *)((uint8_t *)map + at);
}

/* Credits `block` with `count` hits: its dense index is given at its first credit.
 * Lock-free and async-signal-safe; two threads at once lose at most one of the counts. */
static inline void map_credit(struct map_header *map, uint32_t block, uint32_t count)
{
    uint32_t *to_slot = map_words(map, map->block_to_slot_at) + block;
    uint8_t *hits = map_bytes(map, map->hits_at) + block;
    uint32_t slot = __atomic_load_n(to_slot, __ATOMIC_ACQUIRE);
    if (*hits != UINT8_MAX)
        ++*hits;
    if (slot == 0) {
        uint32_t expected = 0;
        if (!__atomic_compare_exchange_n(to_slot, &expected, SLOT_PENDING, false,
                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return; /* another thread credits it in this very moment */
        if (__atomic_load_n(&map->full, __ATOMIC_RELAXED))
            return; /* next_slot must not go round */
        uint32_t index = __atomic_fetch_add(&map->next_slot, 1, __ATOMIC_RELAXED);
        if (index >= map->slot_count) {
            __atomic_store_n(&map->full, 1, __ATOMIC_RELAXED);
            return;
        }
        map_words(map, map->slot_to_block_at)[index] = block;
        slot = index + 1;
        __atomic_store_n(to_slot, slot, __ATOMIC_RELEASE);
    }
    if (slot == SLOT_PENDING)
        return;
    uint8_t *counter = map_bytes(map, map->slots_at) + slot - 1;
    uint32_t sum = *counter + count;
    *counter = sum > UINT8_MAX ? UINT8_MAX : (uint8_t)sum;
    __atomic_fetch_add(&map->credits, 1, __ATOMIC_RELAXED);
}

/* Maps a whole file, shared, if it begins with `magic` (preload_harness.c). */
void *astfuzz_map_file(const char *path, bool writable, uint64_t magic, size_t least);
/* Puts the sanitizer counters of every loaded module into `path` (preload_sancov.c). */
bool astfuzz_remap_counters(const char *path);

#endif
