// WebAssembly in packages, compiled from other projects whose licenses the packages' own files do not contain.

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const contained = [
  {
    package: "@viz-js/viz",
    name: "Graphviz",
    license: "EPL-1.0",
    text: `Graphviz (https://graphviz.org) is here in object code form under the Eclipse Public License 1.0, whose text is at
https://www.eclipse.org/org/documents/epl-v10.html. Its contributors give no warranty of any kind, express or implied, and are liable for no
damages of any kind. The license of dottool is offered by dottool alone where it differs. The source code of Graphviz can be had at
https://gitlab.com/graphviz/graphviz, and how it is compiled at https://github.com/mdaines/viz-js.`,
  },
  {
    package: "@viz-js/viz",
    name: "Expat",
    license: "MIT",
    text: `Copyright (c) 1998-2000 Thai Open Source Software Center Ltd and Clark Cooper\nCopyright (c) 2001-2026 Expat maintainers\n\n${MIT}`,
  },
  {
    package: "quickjs-wasi",
    name: "QuickJS-NG",
    license: "MIT",
    text: `Copyright (c) 2017-2026 Fabrice Bellard\nCopyright (c) 2017-2024 Charlie Gordon\nCopyright (c) 2023-2026 Ben Noordhuis\nCopyright (c) 2023-2026 Saúl Ibarra Corretgé\n\n${MIT}\n
Its tables of characters are made of the Unicode Character Database, Copyright (c) 1991-2026 Unicode, Inc., under the Unicode License v3:
https://www.unicode.org/license.txt.`,
  },
];

/** Returns sections for the list of licenses. */
export function containedIn(name) {
  return contained
    .filter((part) => part.package === name)
    .map((part) => ({ title: `${part.name} (inside ${name})`, license: part.license, text: part.text }));
}
