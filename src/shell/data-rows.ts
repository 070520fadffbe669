// What programs read as data, according to their manuals. A value in any other place counts as one that the program may
// run, because a place that is not listed is not known to be safe. `data-positions.ts` reads the rows.
import type { DataRow } from "./data-row.ts";

const every = { from: 0, to: Number.POSITIVE_INFINITY };

const diffPlain = `
  -# -p -u -s -w -b -z -i -M -R -c -m --patch --no-patch --raw --stat --shortstat --numstat --dirstat --summary
  --compact-summary --name-only --name-status --check --cached --staged --no-index --merge-base --full-index --binary
  --text --minimal --patience --histogram --no-renames --find-renames --find-copies-harder --ignore-all-space
  --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --word-diff --color-words --color --no-color
  --no-ext-diff --no-textconv --no-prefix --relative --no-relative --exit-code --quiet --cc --pickaxe-all
  --pickaxe-regex --function-context --abbrev --submodule --ignore-submodules --end-of-options`;
const diffData = `
  -U -S -G -l -I --unified --diff-filter --inter-hunk-context --ignore-matching-lines --abbrev --submodule
  --ignore-submodules --stat`;
const logPlain = `
  -E -F -P -g --oneline --graph --decorate --no-decorate --all --branches --tags --remotes --merges --no-merges
  --first-parent --reverse --abbrev-commit --no-abbrev-commit --follow --full-history --date-order --author-date-order
  --topo-order --regexp-ignore-case --extended-regexp --basic-regexp --fixed-strings --perl-regexp --all-match
  --invert-grep --no-show-signature --left-right --cherry-pick --cherry --walk-reflogs --no-notes --parents --children
  --count --objects --source --no-walk --pretty`;
const logData = `
  -L -n --max-count --skip --since --after --until --before --author --committer --grep --format --pretty --date
  --decorate-refs --exclude --glob --max-parents --min-parents`;

export const dataRows: readonly DataRow[] = [
  // Texts and files.
  {
    names: `cat tac head tail wc nl fold fmt pr expand unexpand cut tr paste join comm tsort od sum cksum md5sum
      sha1sum sha224sum sha256sum sha384sum sha512sum b2sum base64 base32 basenc basename dirname realpath readlink
      pathchk stat ls df du id groups printf echo true false expr test [ seq factor numfmt sleep uname nproc`,
    from: "GNU coreutils; POSIX, Utilities",
    anywhere: true,
    input: true,
  },
  { names: "grep egrep fgrep", from: "grep(1), OPTIONS", anywhere: true, input: true },
  { names: "cmp diff", from: "cmp(1), diff(1)", anywhere: true, input: true },
  { names: "hexdump hd strings rev column shasum", from: "their manuals in section 1", anywhere: true, input: true },
  { names: "jq", from: "jq(1): no filter starts a program or writes a file", anywhere: true, input: true },
  { names: "ps pgrep pidof which whereis zipinfo", from: "their manuals in section 1", anywhere: true },
  { names: "cal ncal", from: "cal(1)", anywhere: true, variables: "TZ" },
  {
    names: "sort",
    from: "sort(1): not `-o`, `-T` and `--compress-program`",
    operands: every,
    input: true,
    plain: `-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order
      --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort
      --random-sort --reverse --version-sort --check --merge --stable --unique --zero-terminated --debug`,
    data: "-k -t -S --key --field-separator --buffer-size --parallel --batch-size --files0-from --sort",
  },
  {
    names: "uniq",
    from: "uniq(1): not OUTPUT",
    operands: { from: 0, to: 1 },
    input: true,
    plain: "-c -d -D -i -u -z --count --repeated --all-repeated --group --ignore-case --unique --zero-terminated",
    data: "-f -s -w --skip-fields --skip-chars --check-chars",
  },
  {
    names: "shuf",
    from: "shuf(1): not `-o`",
    operands: every,
    input: true,
    plain: "-e -r -z --echo --repeat --zero-terminated",
    data: "-i -n --input-range --head-count",
  },
  {
    names: "xxd",
    from: "xxd(1): not OUTFILE",
    operands: { from: 0, to: 1 },
    input: true,
    style: "words",
    plain: "-a -b -C -E -e -i -p -ps -plain -u -bits -include",
    data: "-c -cols -g -groupsize -l -len -n -o -s -seek",
  },
  {
    names: "sed",
    from: "sed(1), COMMAND SYNOPSIS: `p`, `d`, `q` and `=` touch no file",
    input: true,
    operands: { from: 1, to: Number.POSITIVE_INFINITY },
    script: /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq=]$/,
    plain: `-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --sandbox --posix`,
  },
  {
    names: "date",
    from: "date(1): not `-s`, and no operand that sets the time",
    sign: "+",
    variables: "TZ",
    plain: "-u -R -I -Idate -Ihours -Iminutes -Iseconds -Ins --utc --universal --rfc-email --iso-8601",
    data: "-d -r -f --date --reference --file --rfc-3339",
  },
  {
    names: "file",
    from: "file(1): not `-C` and `-m`",
    operands: every,
    input: true,
    plain: `-b -i -k -L -h -z -Z -N -n -p -r -s -E -0 -v --brief --mime --mime-type --mime-encoding --apple
      --extension --dereference --no-dereference --keep-going --uncompress --raw --no-pad --print0 --special-files`,
    data: "-F -f -e -P --separator --files-from --exclude --parameter",
  },
  {
    names: "find",
    from: "find(1), ACTIONS",
    except: "-delete -exec -execdir -ok -okdir -fls -fprint -fprint0 -fprintf",
  },
  {
    names: "fd fdfind",
    from: "fd(1): not `-x`, `-X` and `-l`",
    operands: every,
    plain: `-H -I -u -s -i -g -F -a -L -p -0 -1 -q --hidden --no-ignore --unrestricted --case-sensitive --ignore-case
      --glob --regex --fixed-strings --absolute-path --follow --full-path --print0 --quiet --one-file-system`,
    data: `-e -E -t -d -S -o -j --extension --exclude --type --max-depth --min-depth --exact-depth --size --owner
      --changed-within --changed-before --max-results --color --threads --search-path --base-directory --and`,
  },
  {
    names: "rg",
    from: "rg(1): not `--pre`, `--hostname-bin` and `-z`",
    operands: every,
    input: true,
    plain: `-b -s -c -F -l -L -. -i -v -n -x -U -I -N -0 -o -P -q -S -a -u -w -H -p --auto-hybrid-regex --binary
      --block-buffered --byte-offset --case-sensitive --column --count --count-matches --crlf --files
      --files-with-matches --files-without-match --fixed-strings --follow --heading --hidden --ignore-case
      --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns-preview --mmap
      --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs
      --no-ignore-parent --no-ignore-global --no-line-number --no-messages --no-mmap --no-unicode --null --null-data
      --one-file-system --only-matching --passthru --pcre2 --pretty --quiet --smart-case --stats --text --trim
      --type-list --unrestricted --vimgrep --with-filename --word-regexp`,
    data: `-A -B -C -E -e -f -g -j -M -m -r -t -T -d --after-context --before-context --color --colors --context
      --context-separator --encoding --engine --field-context-separator --field-match-separator --file --glob --iglob
      --ignore-file --max-columns --max-count --max-depth --max-filesize --path-separator --regexp --replace --sort
      --sortr --threads --type --type-not --type-add --type-clear`,
  },
  {
    names: "ag",
    from: "ag(1): not `--pager`",
    operands: every,
    input: true,
    plain: `-a -c -f -H -i -l -L -n -o -Q -r -R -s -S -t -u -U -v -w -z --all-types --count --follow --filename
      --heading --hidden --ignore-case --files-with-matches --files-without-matches --literal --nobreak --nocolor
      --nofilename --nogroup --noheading --nonumbers --numbers --only-matching --recurse --norecurse --case-sensitive
      --smart-case --stats --all-text --unrestricted --skip-vcs-ignores --invert-match --word-regexp --vimgrep
      --column`,
    data: "-A -B -C -g -G -m --depth --file-search-regex --ignore --ignore-dir --max-count --path-to-ignore --workers",
  },
  {
    names: "tree",
    from: "tree(1): not `-o`, `-R` and `-H`",
    operands: every,
    plain: `-a -d -l -f -x -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X -J --si --du --gitignore
      --ignore-case --matchdirs --metafirst --prune --info --noreport --inodes --device --dirsfirst --filesfirst
      --fromfile --nolinks`,
    data: "-L -P -I --gitfile --infofile --charset --filelimit --timefmt --sort",
  },

  // Archives and data.
  {
    names: "tar gtar",
    from: "tar(1): without `--force-local` a name may be a machine's; `-T` reads options",
    needs: "-t|--list --force-local",
    operands: every,
    plain: `-t -v -z -j -J -a --list --verbose --force-local --gzip --bzip2 --xz --zstd --auto-compress --full-time
      --numeric-owner --utc --wildcards --no-wildcards --totals`,
    data: "-f -X --file --exclude --exclude-from",
    fixed: "--quoting-style --warning",
  },
  {
    names: "tar bsdtar",
    platform: "macos",
    from: "bsdtar(1)",
    needs: "-t|--list",
    operands: every,
    plain: "-t -v -z -j -J --list --verbose --gzip --bzip2 --numeric-owner",
    data: "-f -X --file --exclude --include",
  },
  {
    names: "unzip",
    from: "unzip(1)",
    needs: "-l|-v|-t|-z|-Z|-p|-c",
    operands: every,
    ignoresDashes: true,
    plain: "-l -v -t -z -Z -p -c -q -C -1 -2 -h -s -m -T -U",
    data: "-x",
  },
  {
    names: "sqlite3",
    from: "Command Line Shell For SQLite, The --safe command-line option",
    operands: every,
    needs: "-safe|--safe -readonly|--readonly",
    style: "words",
    ignoresDashes: true,
    fixed: "-init -separator -newline -nullvalue",
    plain: `-safe --safe -readonly --readonly -batch -bail -csv --csv -json --json -line -list -header --header
      -noheader -column -table -box -markdown -html -quote -tabs -ascii -echo -stats -nofollow`,
  },
  {
    names: "yq",
    from: "yq manual, System operators: off unless an option turns them on; not `-i` and `-s`",
    operands: every,
    input: true,
    data: "-I --indent",
    fixed: "-o -p --output-format --input-format",
    plain: `-r -P -n -e -N -j -M -C -c -S --unwrapScalar --prettyPrint --null-input --exit-status --no-doc --no-colors
      --raw-output --compact-output --sort-keys --tojson`,
  },

  // Version control. A repository's own programs are not considered here, but no value may choose the repository.
  {
    names: "git",
    from: "git(1), OPTIONS",
    hasSubcommands: true,
    fixed: "-c -C --git-dir --work-tree --namespace",
    plain: `-P --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --literal-pathspecs
      --glob-pathspecs --noglob-pathspecs --icase-pathspecs`,
  },
  {
    names: "git.log git.show git.rev-list",
    operands: every,
    loads: true,
    from: "git-log(1), git-show(1): not `--output`, `--ext-diff`, `--textconv` and `--show-signature`",
    plain: `${diffPlain} ${logPlain}`,
    data: `${diffData} ${logData}`,
  },
  {
    names: "git.shortlog",
    from: "git-shortlog(1)",
    operands: every,
    loads: true,
    plain: `-n -s -e -c --numbered --summary --email --committer --end-of-options ${logPlain}`,
    data: "--group --format --since --until --after --before --author --grep --date --max-count --skip",
  },
  {
    names: "git.diff git.diff-tree git.diff-index",
    operands: every,
    loads: true,
    from: "git-diff(1): not `--output`, `--ext-diff` and `--textconv`",
    plain: `${diffPlain} -r -t --root`,
    data: diffData,
  },
  {
    names: "git.blame git.annotate",
    from: "git-blame(1)",
    operands: every,
    loads: true,
    plain: `-b -c -e -f -h -l -M -n -p -s -t -w --root --porcelain --line-porcelain --show-stats --show-name
      --show-number --show-email --no-textconv --first-parent --color-lines --no-progress --abbrev`,
    data: "-L -S --date --since --contents --ignore-rev --ignore-revs-file --abbrev",
  },
  {
    names: "git.grep",
    from: "git-grep(1): not `-O` and `--textconv`",
    operands: every,
    loads: true,
    plain: `-# -a -c -E -F -G -h -H -i -I -l -L -n -o -p -P -q -r -v -w -W -z --all-match --and --break --cached
      --color --no-color --column --count --extended-regexp --files-with-matches --fixed-strings --full-name --heading
      --ignore-case --invert-match --line-number --name-only --no-index --no-textconv --not --only-matching --or
      --perl-regexp --quiet --recursive --untracked --word-regexp`,
    data: "-A -B -C -e -f -m --max-count --max-depth --threads",
  },
  {
    names: "git.status",
    from: "git-status(1)",
    operands: every,
    loads: true,
    plain: `-s -b -z -u -uno -uall -unormal --short --branch --show-stash --porcelain --long --ignored
      --untracked-files --ignore-submodules --no-renames --ahead-behind --column --no-column`,
  },
  {
    names: "git.ls-files git.ls-tree git.check-ignore",
    operands: every,
    loads: true,
    from: "git-ls-files(1), git-ls-tree(1), git-check-ignore(1)",
    plain: `-c -d -m -o -i -s -u -k -z -t -v -r -l -q -n --cached --deleted --modified --others --ignored --stage
      --unmerged --exclude-standard --full-name --full-tree --name-only --name-status --object-only --long --eol
      --error-unmatch --no-index --verbose --quiet --abbrev`,
    data: "-x -X --exclude --exclude-from --abbrev --format --with-tree",
  },
  {
    names: "git.rev-parse git.describe git.merge-base git.name-rev git.show-ref git.cat-file",
    from: "their manuals: not `--textconv` and `--filters`",
    operands: every,
    loads: true,
    plain: `-q -s -d -a -e -p -t --verify --quiet --short --abbrev-ref --symbolic --symbolic-full-name --show-toplevel
      --show-prefix --git-dir --absolute-git-dir --is-inside-work-tree --end-of-options --tags --heads --all --long
      --always --dirty --contains --exact-match --first-parent --is-ancestor --fork-point --octopus --independent
      --name-only --hash --dereference --abbrev`,
    data: "--match --exclude --abbrev --candidates --refs",
  },
  {
    names: "git.for-each-ref",
    from: "git-for-each-ref(1)",
    operands: every,
    loads: true,
    plain: "--ignore-case",
    data: "--count --sort --format --points-at --merged --no-merged --contains --no-contains --exclude",
  },
  {
    names: "git.branch git.tag",
    from: "git-branch(1), git-tag(1)",
    needs: "--list",
    operands: every,
    loads: true,
    plain: "--list -a -r -v -vv -i --all --remotes --verbose --ignore-case --no-color --no-column",
    data: "--sort --format --points-at --merged --no-merged --contains --no-contains --abbrev",
  },

  // The network. An address can carry out what was read, so a model's call is asked about for that.
  {
    names: "curl",
    from: "curl(1): not what it sends, writes or reads as settings",
    operands: every,
    does: ["network"],
    plain: `-s -S -f -L -I -i -v -g -q -4 -6 -G -N --silent --show-error --fail --fail-with-body --location --head
      --include --verbose --globoff --disable --compressed --ipv4 --ipv6 --http1.1 --http2 --no-progress-meter
      --no-buffer --get`,
    data: "--url",
    fixed: `-m -A -X -H -e -u --max-time --connect-timeout --retry --retry-delay --max-redirs --max-filesize --proto
      --proto-redir --request --header --user-agent --referer --user`,
  },
  {
    names: "wget",
    from: "wget(1): not `-e`, `-i` and `--use-askpass`",
    operands: every,
    does: ["write", "network"],
    plain: "-q -v -nv -S -c -N -4 -6 --quiet --spider --server-response --no-verbose --continue --no-config",
    fixed: "-O -P -T -t -U --output-document --directory-prefix --timeout --tries --user-agent",
  },
  {
    names: "ping ping6",
    from: "ping(8)",
    operands: every,
    does: ["network"],
    plain: "-4 -6 -n -q -D -v -O",
    data: "-c -i -W -w -s -t",
    fixed: "-I",
  },
  {
    names: "dig nslookup",
    from: "dig(1), nslookup(1): not `-f` and `-k`",
    operands: every,
    does: ["network"],
    style: "words",
    ignoresDashes: true,
    plain: "-4 -6 -r",
    data: "-t -x -p -q -c -type -query",
  },
  {
    names: "host whois",
    from: "host(1), whois(1)",
    operands: every,
    does: ["network"],
    plain: "-4 -6 -a -v -r",
    data: "-t -c",
    fixed: "-h -p",
  },
  {
    names: "getent",
    from: "getent(1): not `-s`, which names a library",
    operands: every,
    does: ["network"],
    plain: "-i --no-idn",
  },

  // Services that return what they have.
  { names: "docker podman", from: "docker(1)", hasSubcommands: true },
  {
    names: `docker.ps docker.images docker.inspect docker.logs docker.port podman.ps podman.images podman.inspect
      podman.logs podman.port`,
    from: "docker-ps(1), docker-inspect(1), docker-logs(1)",
    operands: every,
    plain: "-a -l -q -s -t --all --latest --quiet --size --no-trunc --timestamps --details --digests",
    data: "-f -n --filter --format --last --since --until --tail --type",
  },
  { names: "kubectl oc", from: "kubectl reference", hasSubcommands: true, data: "-n --namespace" },
  {
    names: `kubectl.get kubectl.describe kubectl.logs kubectl.top kubectl.explain oc.get oc.describe oc.logs`,
    from: "kubectl reference: not `--kubeconfig` and `--context`, which name programs",
    operands: every,
    does: ["network"],
    plain: `-A -p -R --all-namespaces --no-headers --show-labels --show-kind --previous --timestamps --all-containers
      --recursive --ignore-not-found`,
    data: `-n -l -o -c -L --namespace --selector --field-selector --output --container --since --since-time --tail
      --sort-by --label-columns --limit-bytes`,
  },

  // Programs that write but run nothing. Their effect does not depend on the author's tags.
  {
    names: "mkdir rmdir",
    from: "mkdir(1), rmdir(1)",
    operands: every,
    does: ["write"],
    fixed: "-m --mode",
    plain: "-p -v --parents --verbose --ignore-fail-on-non-empty",
  },
  {
    names: "touch",
    from: "touch(1)",
    operands: every,
    does: ["write"],
    data: "-d -t -r --date --reference --time",
    plain: "-a -c -m -h --no-create --no-dereference",
  },
  {
    names: "rm unlink",
    from: "rm(1), unlink(1)",
    operands: every,
    does: ["write"],
    plain: "-r -R -f -d -v --recursive --force --dir --verbose --one-file-system --preserve-root",
  },
  {
    names: "cp mv ln",
    from: "cp(1), mv(1), ln(1)",
    operands: every,
    does: ["write"],
    data: "-t --target-directory",
    plain: `-a -b -d -f -H -L -l -n -P -p -R -r -s -T -u -v -x --archive --force --no-clobber --recursive --symbolic
      --no-target-directory --update --verbose --dereference --no-dereference`,
  },
  {
    names: "tee",
    from: "tee(1)",
    operands: every,
    does: ["write"],
    input: true,
    plain: "-a -i -p --append --ignore-interrupts",
  },
  {
    names: "truncate",
    from: "truncate(1)",
    operands: every,
    does: ["write"],
    data: "-r -s --reference --size",
    plain: "-c -o --no-create --io-blocks",
  },
];
