// The steps of the Dockerfile that `dottool export docker` writes, each done in a Debian that is made for it as Debian's
// images are, and the image's command line in that: without an engine for containers, but with its system, user and
// programs.
import { spawnSync } from "node:child_process";
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Copy, DockerfileParser, type Instruction } from "dockerfile-ast";
import { assert, suite } from "../harness.ts";
import { LeftOut, needPrograms } from "../programs-needed.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("docker image");
/** Debian's names for the versions that images are called after. */
const suites: Readonly<Record<string, string>> = { "debian:13-slim": "trixie" };
const MAKE_MS_MAX = 480_000;

const files = {
  "team/greet.tool": "Greets a person.\n@command echo hello {name}\n@param name [required] Who\n@tags read\n",
  "team/name.tool":
    "Reads a name.\n@command jq --raw-output .name {file}\n@param file {path} [required] Which\n@requires jq\n@tags read\n",
  "team/package.json": '{"name":"acme","version":"1.2.0"}',
};

/** In a namespace of its own, so that nothing stays mounted and no process stays: `$1` is the root. */
const ENTER = 'mount -t proc proc "$1/proc" && root=$1 user=$2 && shift 2 && exec chroot "$user" "$root" "$@"';

/** An engine sets the home folder of the user. */
const START = 'export HOME="$(getent passwd "$(id -un)" | cut -d: -f6)" && cd "$1" && shift && exec "$@"';

interface Image {
  readonly root: string;
  user: string;
  folder: string;
  command: readonly string[];
}

/** Returns the words that run others in the image, as its user and in its folder. */
function wordsIn({ root, user, folder }: Image, words: readonly string[]): readonly [string, readonly string[]] {
  const inside = ["sh", "-c", START, "sh", folder, ...words];
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child"];
  return ["unshare", [...namespaces, "sh", "-c", ENTER, "sh", root, `--userspec=${user}`, ...inside]];
}

function done(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8", timeout: MAKE_MS_MAX });
  assert.is(status, 0, `${command} ${words.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** Does a step as its manual says. `context` is the folder that `docker build` is given. */
function step(image: Image, instruction: Instruction, context: string): void {
  const [keyword, rest] = [instruction.getKeyword(), instruction.getArgumentsContent() ?? ""];
  switch (keyword) {
    case "FROM":
      done("debootstrap", ["--variant=minbase", suites[rest] ?? rest, image.root]);
      break;
    case "RUN":
      done(...wordsIn(image, ["sh", "-c", rest]));
      break;
    case "COPY": {
      const [from = "", to = ""] = rest.split(" ");
      const [mode] = (instruction as Copy).getFlags();
      copyFileSync(join(context, from), join(image.root, to));
      chmodSync(join(image.root, to), Number.parseInt(mode?.getValue() ?? "", 8));
      break;
    }
    case "USER":
      image.user = rest;
      break;
    case "WORKDIR":
      mkdirSync(join(image.root, rest), { recursive: true });
      image.folder = rest;
      break;
    case "ENTRYPOINT":
    case "CMD":
      image.command = [...image.command, ...(JSON.parse(rest) as string[])];
      break;
    default:
      assert.is(keyword, "LABEL");
  }
}

test("every step of the Dockerfile can be done, and the image serves its tools with the programs that they need", async () => {
  if (process.getuid?.() !== 0) throw new LeftOut("only root can make a Debian");
  needPrograms("debootstrap", "unshare", "chroot");
  const work = mkdtempSync(join(tmpdir(), "dottool-image-"));
  process.once("exit", () => rmSync(work, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  const { status, stderr } = spawnSync(packagedFile, ["export", "docker", "team", "-o", "image"], {
    cwd: work,
    env: { PATH: "/usr/bin:/bin", HOME: join(work, "home") },
    encoding: "utf8",
  });
  assert.is(status, 0, stderr);
  const dockerfile = DockerfileParser.parse(readFileSync(join(work, "image/Dockerfile"), "utf8"));
  const image: Image = { root: join(work, "root"), user: "root", folder: "/", command: [] };
  for (const one of dockerfile.getInstructions()) step(image, one, join(work, "image"));

  writeFileSync(join(image.root, "work/ana.json"), '{"name":"Ana"}');
  assert.is(done(...wordsIn(image, ["id", "-un"])), "tools\n");
  const [program = ""] = image.command;
  assert.is(done(...wordsIn(image, [program, "greet", "--name", "Ana"])), "hello Ana\n");
  const [command, args] = wordsIn(image, image.command);
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "inherit" }));
  try {
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["greet", "name"],
    );
    const { content } = await client.callTool({ name: "name", arguments: { file: "ana.json" } });
    assert.equal(content, [{ type: "text", text: "Ana\n" }]);
  } finally {
    await client.close();
  }
});

test.run();
