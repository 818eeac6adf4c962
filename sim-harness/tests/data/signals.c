// A load and a division that fault, each skipped by its handler's long jump, and a timer that interrupts a loop.
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile sig_atomic_t fired;

static void skip(int signal) {
  siglongjmp(back, signal);
}

static void fire(int signal) {
  fired = signal;
}

__attribute__((noinline)) int load_from(const volatile int *place) {
  return *place;
}

__attribute__((noinline)) int divide(int dividend, volatile int divisor) {
  return dividend / divisor;
}

__attribute__((noinline)) void wait_for_it(void) {
  while (!fired) {
  }
}

int main(void) {
  signal(SIGSEGV, skip);
  signal(SIGFPE, skip);
  signal(SIGALRM, fire);
  if (sigsetjmp(back, 1) == 0) {
    load_from(0);
  }
  if (sigsetjmp(back, 1) == 0) {
    divide(7, 0);
  }
  struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  setitimer(ITIMER_REAL, &soon, 0);
  wait_for_it();
  return 0;
}
