import type { Command } from '../command.ts';
import type { CommandOption } from '../../contracts/extension.ts';

/** A word that a shell proposes. */
export interface Word {
  readonly text: string;
  readonly description: string;
}

/** What can follow some words: `koine keys create`. */
export interface Completion {
  /** The words after `koine`: none, a command, or a command and its verb. */
  readonly after: readonly string[];
  /** Commands, verbs or operands. */
  readonly words: readonly Word[];
  readonly options: Readonly<Record<string, CommandOption>>;
}

const help: CommandOption = { type: 'boolean', description: 'shows the options' };

const completionsOf = ({ name, summary, forms }: Command): readonly Completion[] => {
  const verbs = forms.flatMap(({ verb, summary: text = summary }) =>
    verb === undefined ? [] : [{ text: verb, description: text }],
  );
  const plain = forms.find(({ verb }) => verb === undefined);
  const operands = (plain?.operandChoices ?? []).map((text) => ({ text, description: '' }));
  return [
    { after: [name], words: [...verbs, ...operands], options: { ...plain?.options, help } },
    ...forms.flatMap(({ verb, options, operandChoices = [] }) => {
      if (verb === undefined) return [];
      const words = operandChoices.map((text) => ({ text, description: '' }));
      return [{ after: [name, verb], words, options: { ...options, help } }];
    }),
  ];
};

/** All places of the command line in which a shell completes. */
export const listCompletions = (commands: readonly Command[]): readonly Completion[] => [
  { after: [], words: commands.map(({ name, summary }) => ({ text: name, description: summary })), options: { help } },
  ...commands.flatMap(completionsOf),
];
