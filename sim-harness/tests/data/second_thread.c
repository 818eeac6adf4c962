/* A second thread runs a loop while the first one does atomic accesses and then waits for it. */
#include <pthread.h>

static int cell;

static void *spin(void *argument) {
    volatile int count = 0;
    while (count < 100000) count++;
    return argument;
}

/* One XCHG, one LOCK XADD, one store: two loads each time. */
__attribute__((noinline)) static void exchange_and_add(int *place) {
    int old = __atomic_exchange_n(place, 1, __ATOMIC_SEQ_CST);
    old += __atomic_fetch_add(place, old, __ATOMIC_SEQ_CST);
    *(volatile int *)(place + 1 - 1) = old;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, spin, 0) != 0) return 1;
    for (int round = 0; round < 10; round++) exchange_and_add(&cell);
    return pthread_join(thread, 0);
}
