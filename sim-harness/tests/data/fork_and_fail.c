/* A child runs a loop and ends by itself; the parent waits for it and exits with status 3. */
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void in_the_child(void) {
    volatile int count = 0;
    while (count < 100000) count++;
}

int main(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        in_the_child();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return 3;
}
