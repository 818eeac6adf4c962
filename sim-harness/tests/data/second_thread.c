/* A second thread runs a loop while the first one waits for it. */
#include <pthread.h>

static void *spin(void *argument) {
    volatile int count = 0;
    while (count < 100000) count++;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, spin, 0) != 0) return 1;
    return pthread_join(thread, 0);
}
