import { writeFlow } from '../../config/write/write-yaml.ts';
import type { Proposal, ProposedEntry, ProposedModel, UsedName } from './propose.ts';

const writeEntry = (entry: ProposedEntry, indent: string): readonly string[] =>
  Object.entries(entry).map(([name, value]) => `${indent}${name}: ${writeFlow(value)}`);

/** What is known of the price, as a comment. */
const describePrice = ({ price }: ProposedModel): string => {
  if (price === 'unknown')
    return 'No price is known: add price: { input: ..., output: ... } in USD per million tokens.';
  const origin = price.seen === undefined ? price.source : `${price.source}, ${price.seen}`;
  return `Price: input ${price.input}, output ${price.output} (${origin}).`;
};

/** The entries of `models`, each line indented. */
export const writeEntries = (models: readonly ProposedModel[], indent: string): string =>
  models
    .flatMap((proposed) => [
      `${indent}${writeFlow(proposed.model)}:`,
      `${indent}${indent}# ${describePrice(proposed)}`,
      ...(proposed.ends === undefined ? [] : [`${indent}${indent}# The vendor ends it on ${proposed.ends}.`]),
      ...writeEntry(proposed.entry, indent + indent),
    ])
    .map((line) => `${line}\n`)
    .join('');

const count = (amount: number): string => `${amount} model${amount === 1 ? '' : 's'}`;

const describeUse = ({ name, models, ends }: UsedName): string =>
  `#   ${name}${ends === undefined ? '' : ` on ${ends}`}: target of ${models.join(', ')}\n`;

const writeUsed = (title: string, used: readonly UsedName[]): string =>
  used.length === 0 ? '' : `\n# ${title}\n${used.map(describeUse).join('')}`;

const writeNames = (title: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `\n# ${title}\n#   ${names.join(', ')}\n`;

/** The proposal as YAML; all but new models is in comments. */
export const writeProposal = (proposal: Proposal, file: string): string => {
  const { provider, listed, new: models, gone, ending, unpriced, dated, others } = proposal;
  return [
    `# ${provider} lists ${count(listed)}. New: ${models.length}. Gone: ${gone.length}. Ending: ${ending.length}.\n`,
    models.length === 0 ? '' : `# --write adds these to ${file}:\nmodels:\n${writeEntries(models, '  ')}`,
    writeUsed(
      'Not in the list any more. The vendor may accept names that it does not list: try before you remove one.',
      gone,
    ),
    writeUsed('The vendor ends these:', ending),
    writeNames('Covered by a wildcard, without a known price:', unpriced),
    writeNames(`Left out: ${count(dated.length)} with a date, which are versions of others. --all adds them:`, dated),
    writeNames('Left out: the gateway has no operation for them (video, realtime and so on):', others),
  ].join('');
};
