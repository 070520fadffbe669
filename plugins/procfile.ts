// A format of `dottool import` that a team may want: the processes of a Procfile, as Heroku and foreman have it.
//
//     dottool import Procfile
import { definePlugin } from "dottool";

const PROCESS = /^([A-Za-z0-9_-]+):[ \t]*(\S.*)$/gm;

export default definePlugin({
  name: "procfile",
  importers: [
    {
      name: "Procfile",
      recognizes: ({ fileName }) => /^Procfile(?:\.\w+)?$/.test(fileName),
      read: ({ text }) =>
        [...text.matchAll(PROCESS)].map(([, name = "", command = ""]) => ({
          name,
          // A name in braces would be the place of a value; `${PORT}` is the shell's.
          text: `Runs the process ${name} of the Procfile.\n\n@shell sh\n@script\n    ${command.trimEnd().replaceAll(/(?<!\$)\{([A-Za-z_][\w-]*)\}/g, "{{$1}}")}\n`,
        })),
    },
  ],
});
