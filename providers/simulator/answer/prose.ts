import type { ToolResult } from './conversation.ts';

const sentences = [
  'This answer comes from the simulator of Koine.',
  'No key was needed, and nothing left this machine.',
  'Ask the same again, and every word will be the same.',
  'Declare a tool and name it, and it will be called.',
  'Give me a schema, and I will fill it in.',
  'Write a directive in double brackets, and I will fail in just that way.',
];

/** The words of all sentences, starting from each sentence once. Responses are slices of these. */
const rotations = sentences.map((_, start) =>
  [...sentences.slice(start), ...sentences.slice(0, start)].join(' ').split(' '),
);
const paragraphs = rotations.map((words) => words.join(' '));
const LENGTH = rotations[0]?.length ?? 0;

/** The given number of words, with a period at the end. */
const composeFiller = (words: number, start: number): string => {
  const rotation = start % sentences.length;
  const whole = Array.from({ length: Math.floor(words / LENGTH) }, () => paragraphs[rotation] ?? '');
  const rest = rotations[rotation]?.slice(0, words % LENGTH).join(' ') ?? '';
  const text = (rest === '' ? whole : [...whole, rest]).join(' ');
  return text.replace(/[.,]?$/, '.');
};

/** The echo uses the first characters of the user's text. */
const ECHO_LIMIT = 4_000;

const splitWords = (text: string): readonly string[] =>
  text
    .slice(0, ECHO_LIMIT)
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');

/** `You said: …` and filler: the given number of words in all. */
export function composeEcho(text: string, words: number, start: number): string {
  const said = splitWords(text);
  const echoed = said.slice(0, Math.max(1, Math.floor(words / 2) - 2));
  const quote = echoed.join(' ') + (echoed.length < said.length ? ' …' : '');
  const lead = (said.length === 0 ? 'You said nothing.' : `You said: ${quote}${/[.!?…]$/.test(quote) ? '' : '.'}`)
    .split(' ')
    .slice(0, words);
  const missing = words - lead.length;
  return missing === 0 ? lead.join(' ') : `${lead.join(' ')} ${composeFiller(missing, start)}`;
}

/** Characters quoted from one tool result. */
const QUOTE_LIMIT = 2_000;

/** Quotes the tool results and adds filler up to the given number of words. */
export function composeResults(results: readonly ToolResult[], words: number, start: number): string {
  const quotes = results.map(
    ({ tool, text, failed }) =>
      `${tool} ${failed ? 'failed' : 'answered'}: ${text.slice(0, QUOTE_LIMIT).toWellFormed()}`,
  );
  const lead = `The tools are back. ${quotes.join('; ')}.`;
  const missing = words - splitWords(lead).length;
  return missing <= 0 ? lead : `${lead} ${composeFiller(missing, start)}`;
}
