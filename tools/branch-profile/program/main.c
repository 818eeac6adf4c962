/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Runs a file of SQL on a database in memory, and prints the rows. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int print_row(void *unused, int columns, char **values, char **names) {
  (void)unused;
  (void)names;
  for (int i = 0; i < columns; i++) printf("%s%c", values[i] ? values[i] : "", i + 1 < columns ? '|' : '\n');
  return 0;
}

/* The whole file with a zero behind it, or NULL. */
static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    long size = ftell(file);
    rewind(file);
    if (size >= 0 && (text = calloc((size_t)size + 1, 1)) && fread(text, 1, (size_t)size, file) != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  if (file) fclose(file);
  return text;
}

int main(int argc, char **argv) {
  char *sql = argc == 2 ? read_all(argv[1]) : NULL;
  sqlite3 *database = NULL;
  char *error = NULL;
  if (!sql) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  if (sqlite3_open(":memory:", &database) != SQLITE_OK || sqlite3_exec(database, sql, print_row, NULL, &error) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", argv[0], error ? error : "no database");
    return 1;
  }
  free(sql);
  return sqlite3_close(database) == SQLITE_OK && fflush(stdout) == 0 ? 0 : 1;
}
