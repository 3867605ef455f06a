import type { BillItem } from './bill.ts';

/** A dated snapshot of a model: `gpt-4.1-2025-04-14`, `claude-haiku-4-5-20251001`. */
const DATE = /[-@](\d{8}|\d{4}-\d{2}-\d{2})$/;
/** `models/gemini-2.5-flash`, `publishers/google/models/gemini-2.5-flash`. */
const PATH = /^(?:.*\/)?models\//;
/** What names at the API have in addition to the name on a bill. */
const RELEASE = /-preview(?:-\d{2}-\d{2,4})?(?=-|$)|-(?:latest|exp|\d{3})$/g;

/** `Gemini 2.0 Flash` and `gemini-2-flash` as the same words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .replaceAll(/(\d)\.0(?!\d)/g, '$1')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
const sortedWords = (name: string): string => wordsOf(name).toSorted().join(' ');
const undated = (name: string): string => name.replace(DATE, '');

/** Words that make the name of another model when they follow: `gemini 2.5 flash` is not `gemini 2.5 flash lite`. */
const variants: ReadonlySet<string | undefined> = new Set([
  'lite',
  'nano',
  'live',
  'native',
  'tts',
  'pro',
  'embedding',
]);

/**
 * Whether a text such as `Gemini 2.5 Flash Text Input - Predictions` names a model. `Image Input` is a kind of input of
 * any model; any other `Image` is part of the name of a model for images.
 */
const names = (text: readonly string[], model: readonly string[]): boolean =>
  text.some((_word, start) => {
    if (!model.every((word, index) => text[start + index] === word)) return false;
    const [next, second] = text.slice(start + model.length);
    if (model.at(-1) === 'image') return next !== 'input';
    return !variants.has(next) && (next !== 'image' || second === 'input');
  });

interface KnownModel {
  readonly name: string;
  readonly words: readonly string[];
}

/** The model of an item that only has a text; the longest name that the text has. */
const findInText = (text: string, models: readonly KnownModel[]): string | undefined => {
  const words = wordsOf(text);
  return models.find((model) => model.words.length > 1 && names(words, model.words))?.name;
};

/** Finds the ledger's name of a billed one: the same, dated or not dated, or written with other separators. */
const findByName = (billed: string, known: readonly string[]): string | undefined =>
  known.find((name) => name === billed) ??
  known.find((name) => undated(billed) === name) ??
  known.find((name) => undated(name) === billed) ??
  known.find((name) => sortedWords(undated(name)) === sortedWords(undated(billed)));

/**
 * @param known the models of the ledger, by the provider's names
 * @returns a function that returns the ledger's name of an item's model; the vendor's name if the ledger does not have
 * the model; undefined if the item names none
 */
export function createModelNames(known: readonly string[]): (item: BillItem) => string | undefined {
  const inText = known
    .map((name): KnownModel => ({ name, words: wordsOf(undated(name.replace(PATH, '')).replaceAll(RELEASE, '')) }))
    .toSorted((one, other) => other.words.length - one.words.length || one.name.length - other.name.length);
  return ({ model, text = '', isOutside = false }) => {
    if (isOutside) return undefined;
    if (model === undefined) return findInText(text, inText);
    const billed = model.replace(PATH, '');
    return findByName(billed, known) ?? billed;
  };
}
