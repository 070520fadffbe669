// The base tools: everything a definition can sit on.
import type { BaseTool } from "../tool/tool.ts";
import { askModel } from "../../features/models/ask-model.ts";
import { askQuestion } from "./ask-question.ts";
import { converse } from "../../features/models/converse.ts";
import { editFile } from "./edit-file.ts";
import { findFiles } from "./find-files.ts";
import { googleSearch } from "../../features/web/google-search.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";
import { readOutput } from "./read-output.ts";
import { runCommand } from "./run-command.ts";
import { searchText } from "./search-text.ts";
import { taskCompletion } from "./task-completion.ts";
import { todoWrite } from "./todo-write.ts";
import { webFetch } from "../../features/web/web-fetch.ts";
import { webSearch } from "../../features/web/web-search.ts";
import { writeFile } from "./write-file.ts";

export const baseTools: readonly BaseTool[] = [
  askModel,
  askQuestion,
  converse,
  editFile,
  findFiles,
  googleSearch,
  listDir,
  readFile,
  readOutput,
  runCommand,
  searchText,
  taskCompletion,
  todoWrite,
  webFetch,
  webSearch,
  writeFile,
];
