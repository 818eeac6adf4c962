# SPDX-License-Identifier: MIT OR Apache-2.0
"""SQL for the program: a table of random rows, queries over all of it, then many short statements. The same for the same arguments."""


def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed


def over_all(rows, seed):
    return f"""\
CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
WITH RECURSIVE r(i, x) AS (SELECT 1, {seed} UNION ALL SELECT i + 1, (x * 1103515245 + 12345) % 2147483648 FROM r WHERE i < {rows})
  INSERT INTO t SELECT i, x % {rows // 2 + 1}, printf('%08x-%d', x, x % 97) FROM r;
CREATE INDEX tb ON t(b);
CREATE INDEX tc ON t(c);
SELECT count(*), sum(b) FROM t;
SELECT count(*) FROM t x JOIN t y ON y.b = x.a WHERE x.b % 3 = 0;
SELECT substr(c, 10) k, count(*), avg(b), max(c) FROM t GROUP BY k ORDER BY 2 DESC, k LIMIT 20;
SELECT count(*) FROM t WHERE c LIKE '%7f%' OR c BETWEEN '3' AND '4';
UPDATE t SET b = b + 1, c = upper(c) WHERE a % 3 = 1;
DELETE FROM t WHERE a % 5 = 2;
SELECT a, c FROM t ORDER BY c DESC LIMIT 10;
SELECT count(DISTINCT b), group_concat(DISTINCT b % 11) FROM t;
SELECT sum(length(c) * CASE WHEN b % 2 THEN 1 ELSE 2 END) FROM t;
"""


def short(index, number, rows):
    key = number % rows
    if index % 2:
        return (f"INSERT OR REPLACE INTO t(a, b, c) VALUES({key}, {number % 1000}, 'row {number}'); "
                f"SELECT b, c FROM t WHERE a = {key} AND b >= 0;\n")
    return f"SELECT x.c FROM t x, t y WHERE x.a = y.b AND y.a = {key} ORDER BY x.c;\n"


def script(rows, seed):
    statements = (short(index, number, rows) for index, number in zip(range(rows // 10), numbers(seed)))
    return over_all(rows, seed) + "".join(statements)
