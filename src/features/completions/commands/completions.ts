// `dottool completions`: prints a script for a shell. The script asks the program itself, so it never gets outdated.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { DOTTOOL, ownProgramName } from "../../../core/text/program-name.ts";
import { reportUsage, type WordsCommand } from "../../../cli/command.ts";

export const shellNames = ["bash", "zsh", "fish", "pwsh"] as const;
type ShellName = (typeof shellNames)[number];

export const completionsCommand: WordsCommand = {
  kind: "words",
  usage: ["completions SHELL"],
  about: `Prints the completion script of a shell (${shellNames.join(", ")}): it completes commands, tools, their parameters and choices. Put it where your shell looks for such scripts, or load it when the shell starts.`,
  options: [],
  words: [1, 1],
  completes: "shells",
  examples: [
    ['eval "$(dottool completions bash)"', "in ~/.bashrc"],
    ['eval "$(dottool completions zsh)"', "in ~/.zshrc, after compinit"],
    ["dottool completions fish | source", "in ~/.config/fish/config.fish"],
    ["dottool completions pwsh | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  run: async ({ words: [wanted = ""] }, { terminal }) => {
    const shell = shellNames.find((known) => known === wanted);
    if (shell === undefined)
      return reportUsage(
        terminal,
        `no completion script for \`${wanted}\`; the supported shells are ${shellNames.join(", ")}`,
        "completions",
      );
    terminal.output.write(completionScript(shell));
    return exitCodes.done;
  },
};

export function completionScript(shell: ShellName): string {
  return scripts[shell].replaceAll(DOTTOOL, ownProgramName());
}

// Each script calls `dottool __complete INDEX WORD…`: INDEX is the word being typed, from 0. The answer has one
// candidate per line, with a tab and a description; an empty answer means files.
const scripts: Readonly<Record<ShellName, string>> = {
  bash: `# bash completion for dottool
_dottool() {
  local word value current joined=
  local -a words=()
  # bash splits at "=" and ":", which are part of words here.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ \${#words[@]} -gt 0 && ( $word == [=:] || \${words[-1]} == *[=:] ) && ( $word == [=:] || -n $joined ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    joined=; [[ $word == [=:] ]] && joined=1
  done
  current=\${words[-1]}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $current in *[=:]*) value=\${value#"\${current%"\${current##*[=:]}"}"} ;; esac
    printf -v value %q "$value"
    COMPREPLY+=("$value")
  done < <(dottool __complete $((\${#words[@]} - 1)) "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -o bashdefault -F _dottool dottool
`,
  zsh: `#compdef dottool
_dottool() {
  local line value
  local -a values texts
  for line in "\${(@f)$(dottool __complete $((CURRENT - 2)) "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    value=\${line%%$'\\t'*}
    values+=("$value")
    texts+=("$value  -- \${line#*$'\\t'}")
  done
  if (( $#values )); then
    compadd -l -d texts -a values
  else
    _files
  fi
}
if [[ $funcstack[1] == _dottool ]]; then _dottool "$@"; else compdef _dottool dottool; fi
`,
  fish: `# fish completion for dottool
function __dottool_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l found (dottool __complete (count $words) $words (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c dottool -f -a '(__dottool_complete)'
`,
  pwsh: `# PowerShell completion for dottool
Register-ArgumentCompleter -Native -CommandName dottool -ScriptBlock {
    param($word, $ast, $position)
    $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
    })
    $all = $words
    if ($word -ne '') { $all = $words + $word }
    dottool __complete $words.Count @all 2>$null | ForEach-Object {
        $value, $text = $_ -split "\`t", 2
        if (-not $text) { $text = $value }
        $shown = $value
        if ($value -match '[\\s''"$;|&<>(){}]') { $value = "'" + ($value -replace "'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($value, $shown, 'ParameterValue', $text)
    }
}
`,
};
