// Neovim with its own client: it starts the server, shows the diagnostics, completes, and renames.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";

const test = suite("lsp in Neovim");

const TOOL = `Says a word.

@name say
@command echo {word} {nobody}
@param word {string} [required] What is said
@tags read
`;

/** Its client as of 0.7, the oldest that Debian has. The result is JSON on the last line. */
const SCRIPT = `
local words = vim.fn.json_decode(vim.env.SERVER)
vim.cmd("edit .tools/say.tool")
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "dottool", cmd = words, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
local found = {}
vim.wait(120000, function() return #vim.diagnostic.get(buffer) > 0 end)
for _, one in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(found, { line = one.lnum, column = one.col, code = one.code, message = one.message })
end
local function ask(method, line, character, more)
  local document = { uri = vim.uri_from_bufnr(buffer) }
  local params = vim.tbl_extend("force", { textDocument = document, position = { line = line, character = character } }, more or {})
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers[id].result
end
local hover = ask("textDocument/hover", 4, 1).contents.value
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", 4, 8, { newName = "text" }), "utf-16")
vim.cmd("write")
local client = vim.lsp.get_client_by_id(id)
vim.fn.writefile({ vim.fn.json_encode({ found = found, hover = hover }) }, "answer.json")
client.stop()
vim.wait(60000, function() return client.is_stopped() end)
vim.cmd("qall!")
`;

test("Neovim shows diagnostics, explains and renames by its own client", () => {
  const [nvim = ""] = needPrograms("nvim");
  using project = testProject({ ".tools/say.tool": TOOL, "session.lua": SCRIPT });
  const { command, words, environment } = project.program;
  const { status, stderr } = spawnSync(nvim, ["--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile session.lua"], {
    cwd: project.folder,
    env: { ...environment, SERVER: JSON.stringify([command, ...words, "lsp"]) },
    timeout: HANG_MS_MAX,
    encoding: "utf8",
  });
  assert.is(status, 0, stderr);
  const read = (path: string): string => readFileSync(join(project.folder, path), "utf8");
  assert.equal(JSON.parse(read("answer.json")), {
    found: [
      {
        line: 3,
        column: 22,
        code: "unknown-placeholder",
        message:
          "cannot find `nobody` in this tool\nhelp: the tool has `word`\nhelp: declare it with `@param nobody {string} …`, or write `{{nobody}}` for the literal text",
      },
    ],
    hover: "`@param NAME {TYPE} [OPTIONS] text`\n\nthe parameters of a call\n\nIn YAML: `parameters`",
  });
  assert.is(read(".tools/say.tool"), TOOL.replaceAll("word}", "text}").replace("@param word", "@param text"));
});

test.run();
