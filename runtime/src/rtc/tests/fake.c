// A driver without a device: CUDA's functions, or HIP's where HIP is defined. Memory is the host's. Work waits in a queue until
// somebody asks whether it has ended, and then a part of it is done: so what is not waited for has not happened. A kernel adds 1
// to every word of the buffer that its first argument names.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef HIP
#define NAME(cuda, hip) hip
#else
#define NAME(cuda, hip) cuda
#endif
#define OUT_OF_MEMORY 2
#define INVALID 1
#define NOT_READY 600
#define ILLEGAL_ADDRESS 700
// Launches that a driver takes before it makes the host wait.
#define DEEP 1024
#define PER_QUERY 3
#define MANY 4096

typedef struct { uint64_t at; size_t size; } Memory;
typedef enum { LAUNCH, COPY_IN, COPY_OUT, FILL, FREE, EVENT } Kind;
typedef struct { Kind kind; uint64_t at; void* host; size_t size; uint64_t number; } Work;
typedef struct { uint64_t recorded, ended; } Event;
typedef struct { Work* work; size_t count, room; } List;

// Drivers take calls from several threads at once.
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int enter(void) { return pthread_mutex_lock(&mutex); }
static void leave(int* inside) { (void)inside; pthread_mutex_unlock(&mutex); }
#define ENTER __attribute__((cleanup(leave), unused)) int inside = enter()

static Memory memories[MANY];
static List queue, captured;
static int capturing, hanging, sticky, violations, blocked;
static long long live_modules, live_events, live_streams, live_graphs, live_pinned, launches, trims;
static size_t free_bytes = 1 << 30;
static char failing[64];
static int fail_in, fail_with;

// What tests ask and set.
void fake_fail(const char* name, int nth, int code) { strncpy(failing, name, 63); fail_in = nth; fail_with = code; }
void fake_hang(int on) { hanging = on; }
void fake_room(size_t bytes) { free_bytes = bytes; }
int fake_violations(void) { return violations; }
int fake_blocked(void) { return blocked; }
long long fake_launches(void) { return launches; }
long long fake_trims(void) { return trims; }
long long fake_live(void) {
    long long all = live_modules + live_events + live_streams + live_graphs + live_pinned;
    for (int i = 0; i < MANY; i++) all += memories[i].at != 0;
    return all;
}
long long fake_modules(void) { return live_modules; }

static int fails(const char* name) {
    ENTER;
    if (sticky) return sticky;
    if (fail_in > 0 && strcmp(name, failing) == 0 && --fail_in == 0) {
        if (fail_with >= 700 && fail_with < 720) sticky = fail_with;
        return fail_with;
    }
    return 0;
}
#define CHECK(name) do { int failed = fails(name); if (failed) return failed; } while (0)

static Memory* find(uint64_t at, size_t size) {
    for (int i = 0; i < MANY; i++)
        if (memories[i].at && at >= memories[i].at && at + size <= memories[i].at + memories[i].size) return &memories[i];
    violations++;
    return 0;
}

static void push(List* list, Work work) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->work = realloc(list->work, list->room * sizeof(Work));
    }
    list->work[list->count++] = work;
}

static void run(Work w) {
    Memory* m = w.kind == EVENT ? 0 : find(w.at, w.size);
    if (w.kind != EVENT && !m) return;
    switch (w.kind) {
    case LAUNCH:
        for (size_t i = 0; i + 4 <= m->size; i += 4) ++*(uint32_t*)(m->at + i);
        launches++;
        break;
    case COPY_IN: memcpy((void*)w.at, w.host, w.size); break;
    case COPY_OUT: memcpy(w.host, (void*)w.at, w.size); break;
    case FILL: memset((void*)w.at, (int)w.number, w.size); break;
    case FREE: free_bytes += m->size; free((void*)m->at); m->at = 0; break;
    case EVENT: ((Event*)w.host)->ended = w.number; break;
    }
}

static void some(void) {
    ENTER;
    if (hanging) return;
    size_t n = queue.count < PER_QUERY ? queue.count : PER_QUERY;
    for (size_t i = 0; i < n; i++) run(queue.work[i]);
    memmove(queue.work, queue.work + n, (queue.count - n) * sizeof(Work));
    queue.count -= n;
}

static int ask(void* stream, Work work) {
    ENTER;
    if (capturing && (intptr_t)stream % 2 == 0) {
        if (work.kind != LAUNCH) violations++;
        push(&captured, work);
        return 0;
    }
    if (queue.count >= DEEP) {
        if (hanging) { blocked++; return 0; }
        while (queue.count >= DEEP) some();
    }
    push(&queue, work);
    return 0;
}

int NAME(cuInit, hipInit)(unsigned flags) { CHECK("init"); return flags ? INVALID : 0; }
int NAME(cuDriverGetVersion, hipDriverGetVersion)(int* v) { *v = NAME(13000, 60300000); return 0; }
int NAME(cuDeviceGetCount, hipGetDeviceCount)(int* n) { CHECK("count"); *n = 2; return 0; }
int NAME(cuDeviceGet, hipDeviceGet)(int* d, int i) { *d = i; return 0; }
int NAME(cuDeviceGetName, hipDeviceGetName)(char* s, int n, int d) {
    if (n < 8) return INVALID;
    strcpy(s, d ? "Fake Two" : "Fake One");
    return 0;
}
int NAME(cuDeviceTotalMem_v2, hipDeviceTotalMem)(size_t* n, int d) { (void)d; *n = 1 << 30; return 0; }
int NAME(cuDeviceGetUuid, hipDeviceGetUuid)(char* u, int d) { memset(u, 7 + d, 16); return 0; }
int NAME(cuGetErrorName, hipDrvGetErrorName)(int code, const char** name) {
    *name = code == ILLEGAL_ADDRESS ? "ILLEGAL_ADDRESS" : code == OUT_OF_MEMORY ? "OUT_OF_MEMORY" : "SOME_ERROR";
    return 0;
}
int cuDeviceGetAttribute(int* v, int which, int d) {
    (void)d;
    *v = which == 75 ? 9 : which == 76 ? 0 : 1;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** c, int d) { CHECK("context"); *c = (void*)(intptr_t)(d + 1); return 0; }
int cuCtxSetCurrent(void* c) { return c ? 0 : INVALID; }
int hipSetDevice(int d) { return d < 2 ? 0 : INVALID; }
int hipGetDevicePropertiesR0600(char* p, int d) {
    (void)d;
    memset(p, 0, 1472);
    strcpy(p, "Fake");
    strcpy(p + 1160, "gfx1201:xnack-");
    return 0;
}
int NAME(cuStreamCreate, hipStreamCreateWithFlags)(void** s, unsigned flags) {
    static intptr_t next = 1;
    CHECK("stream");
    if (flags != 1) return INVALID;
    *s = (void*)next++;
    live_streams++;
    return 0;
}
int NAME(cuStreamDestroy_v2, hipStreamDestroy)(void* s) { (void)s; live_streams--; return 0; }
int NAME(cuStreamQuery, hipStreamQuery)(void* s) { ENTER; (void)s; CHECK("query"); some(); return queue.count ? NOT_READY : 0; }
int NAME(cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool)(void** p, int d) { (void)d; *p = (void*)9; return 0; }
int NAME(cuMemPoolSetAttribute, hipMemPoolSetAttribute)(void* p, int which, uint64_t* v) {
    return p == (void*)9 && which == 4 && *v == UINT64_MAX ? 0 : INVALID;
}
int NAME(cuMemPoolTrimTo, hipMemPoolTrimTo)(void* p, size_t n) { trims++; return p == (void*)9 && n == 0 ? 0 : INVALID; }
int NAME(cuMemAllocAsync, hipMallocAsync)(uint64_t* at, size_t size, void* s) {
    (void)s;
    ENTER;
    CHECK("alloc");
    if (size == 0) return INVALID;
    if (size > free_bytes) return OUT_OF_MEMORY;
    for (int i = 0; i < MANY; i++)
        if (!memories[i].at) {
            free_bytes -= size;
            memories[i].at = (uint64_t)aligned_alloc(256, size);
            memories[i].size = size;
            *at = memories[i].at;
            return 0;
        }
    return OUT_OF_MEMORY;
}
int NAME(cuMemFreeAsync, hipFreeAsync)(uint64_t at, void* s) { return ask(s, (Work){FREE, at, 0, 0, 0}); }
int NAME(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)(uint64_t to, void* from, size_t n, void* s) {
    CHECK("copy_in");
    return ask(s, (Work){COPY_IN, to, from, n, 0});
}
int NAME(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync)(void* to, uint64_t from, size_t n, void* s) {
    CHECK("copy_out");
    return ask(s, (Work){COPY_OUT, from, to, n, 0});
}
int NAME(cuMemsetD8Async, hipMemsetD8Async)(uint64_t at, unsigned char byte, size_t n, void* s) {
    CHECK("fill");
    return ask(s, (Work){FILL, at, 0, n, byte});
}
int NAME(cuMemHostAlloc, hipHostMalloc)(void** p, size_t n, unsigned flags) {
    CHECK("pinned");
    if (flags) return INVALID;
    *p = malloc(n);
    live_pinned++;
    return 0;
}
int NAME(cuMemFreeHost, hipHostFree)(void* p) { free(p); live_pinned--; return 0; }
int NAME(cuModuleLoadData, hipModuleLoadData)(void** m, const char* image) {
    CHECK("module");
    if (strncmp(image, "code:", 5)) return INVALID;
    *m = (void*)1;
    live_modules++;
    return 0;
}
int NAME(cuModuleUnload, hipModuleUnload)(void* m) {
    (void)m;
    if (queue.count) violations++;
    live_modules--;
    return 0;
}
int NAME(cuModuleGetFunction, hipModuleGetFunction)(void** f, void* m, const char* name) {
    (void)m;
    CHECK("function");
    *f = (void*)3;
    return strcmp(name, "kernel_entry") ? INVALID : 0;
}
int NAME(cuLaunchKernel, hipModuleLaunchKernel)(void* f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                                                unsigned bz, unsigned shared, void* s, void** args, void** extra) {
    CHECK("launch");
    if (f != (void*)3 || !x || y > 65535 || z > 65535 || bx > 1024 || by != 1 || bz != 1 || shared || extra) return INVALID;
    return ask(s, (Work){LAUNCH, *(uint64_t*)args[0], 0, 4, 0});
}
int NAME(cuEventCreate, hipEventCreateWithFlags)(void** e, unsigned flags) {
    (void)flags;
    CHECK("event");
    *e = calloc(1, sizeof(Event));
    live_events++;
    return 0;
}
int NAME(cuEventDestroy_v2, hipEventDestroy)(void* e) { free(e); live_events--; return 0; }
int NAME(cuEventRecord, hipEventRecord)(Event* e, void* s) {
    ENTER;
    CHECK("record");
    return ask(s, (Work){EVENT, 0, e, 0, ++e->recorded});
}
int NAME(cuEventQuery, hipEventQuery)(Event* e) {
    ENTER;
    CHECK("query");
    some();
    return e->ended == e->recorded ? 0 : NOT_READY;
}
int NAME(cuEventElapsedTime, hipEventElapsedTime)(float* ms, Event* a, Event* b) {
    if (a->ended != a->recorded || b->ended != b->recorded) return NOT_READY;
    *ms = 1.5f;
    return 0;
}
int NAME(cuStreamBeginCapture_v2, hipStreamBeginCapture)(void* s, int mode) {
    CHECK("capture");
    if ((intptr_t)s % 2 != 0 || capturing || mode != 2) return INVALID;
    capturing = 1;
    captured = (List){0, 0, 0};
    return 0;
}
int NAME(cuStreamEndCapture, hipStreamEndCapture)(void* s, List** graph) {
    (void)s;
    capturing = 0;
    *graph = malloc(sizeof(List));
    **graph = captured;
    live_graphs++;
    return 0;
}
int NAME(cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags)(List** exec, List* graph, unsigned long long flags) {
    CHECK("instantiate");
    if (flags) return INVALID;
    *exec = calloc(1, sizeof(List));
    for (size_t i = 0; i < graph->count; i++) push(*exec, graph->work[i]);
    live_graphs++;
    return 0;
}
int NAME(cuGraphLaunch, hipGraphLaunch)(List* exec, void* s) {
    CHECK("replay");
    for (size_t i = 0; i < exec->count; i++) ask(s, exec->work[i]);
    return 0;
}
int NAME(cuGraphExecDestroy, hipGraphExecDestroy)(List* exec) { free(exec->work); free(exec); live_graphs--; return 0; }
int NAME(cuGraphDestroy, hipGraphDestroy)(List* graph) { free(graph->work); free(graph); live_graphs--; return 0; }

// The compiler: its machine code is the text.
typedef struct { char* text; int bad; } Program;
int NAME(nvrtcVersion, hiprtcVersion)(int* major, int* minor) { *major = 1; *minor = 2; return 0; }
const char* NAME(nvrtcGetErrorString, hiprtcGetErrorString)(int code) { (void)code; return "SOME_ERROR"; }
int NAME(nvrtcCreateProgram, hiprtcCreateProgram)(Program** p, const char* text, const char* name, int n, const char** h,
                                                  const char** i) {
    (void)name; (void)h; (void)i;
    if (n) return INVALID;
    *p = calloc(1, sizeof(Program));
    (*p)->text = malloc(strlen(text) + 6);
    strcat(strcpy((*p)->text, "code:"), text);
    return 0;
}
int NAME(nvrtcDestroyProgram, hiprtcDestroyProgram)(Program** p) { free((*p)->text); free(*p); return 0; }
int NAME(nvrtcCompileProgram, hiprtcCompileProgram)(Program* p, int n, const char** flags) {
    const char* want = NAME("--gpu-architecture=sm_90a", "--offload-arch=gfx1201");
    p->bad = n < 1 || strcmp(flags[0], want) != 0 || fails("compile") != 0;
    return p->bad ? 6 : 0;
}
static const char* log_of(Program* p) { return p->bad ? "kernels(3): error: bad text\n" : ""; }
int NAME(nvrtcGetProgramLogSize, hiprtcGetProgramLogSize)(Program* p, size_t* n) { *n = strlen(log_of(p)) + 1; return 0; }
int NAME(nvrtcGetProgramLog, hiprtcGetProgramLog)(Program* p, char* to) { strcpy(to, log_of(p)); return 0; }
int NAME(nvrtcGetCUBINSize, hiprtcGetCodeSize)(Program* p, size_t* n) { *n = strlen(p->text) + 1; return 0; }
int NAME(nvrtcGetCUBIN, hiprtcGetCode)(Program* p, char* to) { strcpy(to, p->text); return 0; }
