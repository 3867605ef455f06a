import { PDF, PIXEL } from '../losses/probe.ts';
import type { Member, ObjectShape, Shape } from './read-types.ts';

/** Texts that have a form. Any other text is a word. */
const texts: readonly (readonly [name: RegExp, text: string])[] = [
  [/(?:^|_)(?:url|uri)$|Uri$/, 'https://example.com/a.png'],
  [/^file_data$/, `data:application/pdf;base64,${PDF}`],
  [/^data$|_data$|^result$/, PIXEL],
  [/mime_?type|media_type/i, 'image/png'],
  [/^namespace$/, 'group'],
  [/^arguments$|^partial_json$/, '{"a":1}'],
];
const textOf = (name: string): string => texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'words';

const ranks = ['text', 'literal', 'object', 'list', 'number', 'boolean', 'any', 'union'] as const;
const firstOf = (alternatives: readonly Shape[]): Shape | undefined =>
  [...alternatives].sort((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind))[0];

/** A text that says more than that nothing was set. */
const UNSET = /^(?:auto|default|none|standard|completed)$|UNSPECIFIED$/;
const isSet = (shape: Shape): boolean => shape.kind === 'literal' && !UNSET.test(String(shape.value));

/** Optional members without which an object says nothing. */
const content: ReadonlySet<string> = new Set(['image_url', 'file_data', 'call_id']);

/** The members of the smallest object: those that are required, or, if none is, its texts. */
function membersOf(object: ObjectShape): readonly (readonly [name: string, member: Member])[] {
  const all = [...object.members()];
  const required = all.filter(([name, { optional }]) => !optional || content.has(name));
  return required.length > 0
    ? required
    : all.filter(([name, { shape }]) => shape.kind === 'text' && !/id$/i.test(name));
}

/**
 * The smallest value of a type: the required members only.
 * @param name of the member that has the value
 */
export function sample(shape: Shape, name = ''): unknown {
  switch (shape.kind) {
    case 'literal':
      return shape.value;
    case 'text':
      return textOf(name);
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'any':
      return { type: 'object' };
    case 'list':
      return [sample(shape.item(), name)];
    case 'union': {
      const first = shape.alternatives.find(isSet) ?? firstOf(shape.alternatives);
      return first === undefined ? { type: 'object' } : sample(first, name);
    }
    case 'object':
      return shape.members().size === 0
        ? { type: 'object' }
        : Object.fromEntries(membersOf(shape).map(([key, member]) => [key, sample(member.shape, key)]));
  }
}
