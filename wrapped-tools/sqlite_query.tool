Query an SQLite database. The database is opened read-only.

Returns rows as CSV with a header. To see the tables: `select name, sql from sqlite_schema`.

@title SQLite Query
@name sqlite_query
@wrapped run_command
@command sqlite3 -safe -readonly -batch -init /dev/null -csv -header {file} {query}
@param file {path} [required] The database
@param query {string} [required, reject=/^\s*\.|\bfsdir\b/i] SQL; the commands of the shell that begin with a dot are refused
@tags read data
@keywords sql database select table
@requires sqlite3
@platforms linux macos
@example {"file": "data.db", "query": "select count(*) from users"}

@test reads rows
    setup sqlite3 a.db "create table t(x, y); insert into t values (1, 'a,b')"
    with {"file": "a.db", "query": "select * from t"}
    expect exit-code 0
    expect output-contains 1,"a,b"

@test cannot write
    setup sqlite3 a.db "create table t(x)"
    with {"file": "a.db", "query": "insert into t values (1)"}
    expect exit-code 8
    expect error-contains readonly

@test cannot leave the database
    setup sqlite3 a.db "create table t(x)"
    with {"file": "a.db", "query": "select writefile('stolen.txt', 'x')"}
    expect error-contains safe mode
    expect not-file-exists stolen.txt
