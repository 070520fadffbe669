// The same as queue.test.ts with PostgreSQL.
import { suite } from "../harness.ts";
import { queueRows } from "./queue-rows.ts";

const test = suite("cli/queue postgres");

queueRows(test, "postgres");

test.run();
