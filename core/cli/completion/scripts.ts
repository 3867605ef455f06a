import { listCompletions, type Completion, type Word } from './words.ts';
import type { Command } from '../command.ts';

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const optionsOf = ({ options }: Completion): readonly Word[] =>
  Object.entries(options).map(([name, { description }]) => ({ text: `--${name}`, description }));

const choicesOf = ({ options }: Completion): readonly (readonly [option: string, choices: readonly string[]])[] =>
  Object.entries(options).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [[`--${name}`, choices] as const],
  );

/** Longest first: `keys create` before `keys`. */
const sort = (completions: readonly Completion[]): readonly Completion[] =>
  completions.toSorted((one, other) => other.after.length - one.after.length);

const pattern = ({ after: [command, verb] }: Completion): string =>
  command === undefined ? '*' : verb === undefined ? `${quote(command)}:*` : `${quote(`${command}:${verb}`)}`;

const writeBash = (completions: readonly Completion[]): string => `_koine() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at= words= options=
  [ "$COMP_CWORD" -gt 1 ] && at=\${COMP_WORDS[1]}:
  [ "$COMP_CWORD" -gt 2 ] && at=$at\${COMP_WORDS[2]}
  case $at in
${sort(completions)
  .map(
    (completion) => `  ${pattern(completion)})
    words=${quote(completion.words.map(({ text }) => text).join(' '))}
    options=${quote(
      optionsOf(completion)
        .map(({ text }) => text)
        .join(' '),
    )}
    case $before in
${choicesOf(completion)
  .map(([option, choices]) => `    ${option}) words=${quote(choices.join(' '))} options= ;;\n`)
  .join('')}    esac ;;`,
  )
  .join('\n')}
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _koine koine`;

const describe = ({ text, description }: Word): string =>
  quote(`${text.replaceAll(':', String.raw`\:`)}${description === '' ? '' : `:${description}`}`);

const writeZsh = (completions: readonly Completion[]): string => `#compdef koine
_koine() {
  local current=\${words[CURRENT]} before=\${words[CURRENT-1]} at=
  local -a values options
  (( CURRENT > 2 )) && at=\${words[2]}:
  (( CURRENT > 3 )) && at=$at\${words[3]}
  case $at in
${sort(completions)
  .map(
    (completion) => `  ${pattern(completion)})
    values=(${completion.words.map(describe).join(' ')})
    options=(${optionsOf(completion).map(describe).join(' ')})
    case $before in
${choicesOf(completion)
  .map(([option, choices]) => `    ${option}) values=(${choices.map(quote).join(' ')}) options=() ;;\n`)
  .join('')}    esac ;;`,
  )
  .join('\n')}
  esac
  if [[ $current == -* ]]; then _describe option options
  elif (( $#values )); then _describe value values
  else _files; fi
}
if [ "$funcstack[1]" = _koine ]; then _koine "$@"; else compdef _koine koine; fi`;

const condition = ({ after: [command, verb] }: Completion, verbs: readonly string[]): string => {
  if (command === undefined) return '__fish_use_subcommand';
  if (verb !== undefined) return `__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${verb}`;
  const others = verbs.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${verbs.join(' ')}`;
  return `__fish_seen_subcommand_from ${command}${others}`;
};

const writeFish = (completions: readonly Completion[]): string =>
  completions
    .flatMap((completion) => {
      const verbs = completions.flatMap(({ after }) =>
        after.length > 1 && after[0] === completion.after[0] ? [after[1] ?? ''] : [],
      );
      const when = `complete -c koine -n ${quote(condition(completion, verbs))}`;
      return [
        ...completion.words.map(({ text, description }) => `${when} -f -a ${quote(text)} -d ${quote(description)}`),
        ...Object.entries(completion.options).map(
          ([name, { type, description, choices }]) =>
            `${when} -l ${name}${type === 'boolean' ? '' : ' -r'}` +
            `${choices === undefined ? '' : ` -f -a ${quote(choices.join(' '))}`} -d ${quote(description)}`,
        ),
      ];
    })
    .join('\n');

const writers = new Map([
  ['bash', writeBash],
  ['zsh', writeZsh],
  ['fish', writeFish],
]);

/** The completion of a shell, which `koine completion` prints; undefined: of another shell. */
export const writeScript = (shell: string, commands: readonly Command[]): string | undefined =>
  writers.get(shell)?.(listCompletions(commands));
