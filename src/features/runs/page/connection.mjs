// How the page asks the program: over HTTP with the token of its link.

/** What the program refused; `answer` is what it said. */
export class Refused extends Error {
  constructor(answer) {
    super(answer.message);
    this.answer = answer;
  }
}

takeToken();

/** The token comes behind `#`, so that it is in no request, and leaves the address at once. */
function takeToken() {
  const given = /^#token=(\w+)$/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem("token", given[1]);
  history.replaceState(null, "", location.pathname);
}

async function answerOf(path, { method = "GET", body } = {}) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
  const answer = await fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (answer.status === 401) throw new Error("The token is missing: open the link that `dottool runs --ui` printed.");
  if (answer.status === 413) throw new Refused({ message: "The values are too long: put long text into a file." });
  if (!answer.ok) throw new Refused(await answer.json());
  return answer;
}

export async function ask(path, options = {}) {
  return (await answerOf(path, options)).json();
}

export async function bytesOf(path) {
  return new Uint8Array(await (await answerOf(path)).arrayBuffer());
}

export function messageOf(error) {
  return error instanceof TypeError ? "The server has ended." : error.message;
}
