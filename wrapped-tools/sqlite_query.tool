Query an SQLite database. The database is opened read-only, and a query is one statement that reads.

Returns rows as CSV with a header. To see the tables: `select name, sql from sqlite_schema`.

@title SQLite Query
@name sqlite_query
@wrapped run_command
@command sqlite3 -safe -readonly -batch -init /dev/null -csv -header {file} {query}
@command(windows) sqlite3 -safe -readonly -batch -init NUL -csv -header {file} {query}
@param file {path} [required, reject=/^file:/i, help="a path; a file whose name begins with `file:` is written ./file:NAME"] The database
@param query {string} [required, pattern=/\s*(select|with|values|explain|pragma\s+[\w.]+_(x?info|list)\b)[^;]*;?\s*/i, reject=/\bfsdir\b/i, help="one statement that begins with select, with, values or explain, or pragma table_info and the like; write `;` in a string as char(59)"] One SQL statement that reads
@tags read data
@keywords sql database select table
@requires sqlite3
@example {"file": "data.db", "query": "select count(*) from users"}
@note A virtual table such as `zipfile` writes files in spite of `-safe` and `-readonly`, so no query may create one. SQLite itself makes the files `-wal` and `-shm` beside a database in WAL mode, for every reader.

@test reads rows
    setup sqlite3 a.db "create table t(x, y); insert into t values (1, 'a,b')"
    with {"file": "a.db", "query": "select * from t"}
    expect exit-code 0
    expect output-contains 1,"a,b"

@test shows columns
    setup sqlite3 a.db "create table t(x, y)"
    with {"file": "a.db", "query": "pragma table_info(t);"}
    expect output-contains 1,y

@test cannot write
    setup sqlite3 a.db "create table t(x)"
    with {"file": "a.db", "query": "with one as (select 1) insert into t select * from one"}
    expect exit-code 8
    expect error-contains readonly

@test cannot leave the database
    setup sqlite3 a.db "create table t(x)"
    with {"file": "a.db", "query": "select writefile('stolen.txt', 'x')"}
    expect error-contains safe mode
    expect not-file-exists stolen.txt

@test takes one statement that reads
    setup sqlite3 a.db "create table t(x)"
    with {"file": "a.db", "query": "select 1; drop table t"}
    expect error-contains one statement
