/**
 * What the strings of a member are, where they are more or less than text:
 * - `text`: no more and no less, also where another wire has words
 * - `part`: text, which a reader joins with that of the parts beside it in the same list
 * - `word`: an id, a role, a type, a setting. A value with other characters than those of words is text
 * - `data`: everything in it comes from the caller, also names of members and numbers
 * - `json`: the same, written as a text
 * - `signed`: text that its vendor signed, so that it cannot be changed
 * - `bytes`: base64, also as a data URL. Other values are text, and so are those beside a `type` that is `text`
 * - `link`: a data URL; other values are text, and refer to content that is elsewhere
 * - `reference`: refers to content that is elsewhere
 * - `encrypted`: base64 that only the vendor can read. Other values are text
 */
export type TextMeaning =
  | 'text'
  | 'part'
  | 'word'
  | 'data'
  | 'json'
  | 'signed'
  | 'bytes'
  | 'link'
  | 'reference'
  | 'encrypted';

const ANYWHERE = '*';

/** What the strings of a request are, by name and by the member around it. Created by {@link defineTextMembers}. */
export type TextMembers = ReadonlyMap<string, ReadonlyMap<string, TextMeaning>>;

/** What all wires share, and JSON Schema. */
const shared: Readonly<Record<string, TextMeaning>> = {
  text: 'part',
  type: 'word',
  role: 'word',
  id: 'word',
  model: 'word',
  format: 'word',
  required: 'word',
  $ref: 'word',
  $schema: 'word',
  $id: 'word',
};

/**
 * Declares what the strings of a wire's requests are, beyond what all wires share: `text` is a part; `type`, `role`,
 * `id`, `model` and words of JSON Schema are words. Strings of other members are text.
 * @param meanings by the name of a member, or by the names of the member around it and its own; lists do not count. A
 * dot before the name: only at the top level
 * @example defineTextMembers({ 'tool_call_id': 'word', '.metadata': 'data', 'function.arguments': 'json' })
 */
export function defineTextMembers(meanings: Readonly<Record<string, TextMeaning>>): TextMembers {
  const members = new Map<string, Map<string, TextMeaning>>();
  for (const [path, meaning] of Object.entries({ ...shared, ...meanings })) {
    const dot = path.indexOf('.');
    const name = path.slice(dot + 1);
    const parents = members.get(name) ?? new Map<string, TextMeaning>();
    parents.set(dot === -1 ? ANYWHERE : path.slice(0, dot), meaning);
    members.set(name, parents);
  }
  return members;
}

/** @param parent the name of the member around it; empty at the top level */
export const meaningOf = (members: TextMembers, parent: string, name: string): TextMeaning | undefined => {
  const parents = members.get(name);
  return parents?.get(parent) ?? parents?.get(ANYWHERE);
};

/** The strings of a canonical request or response. */
export const canonicalTextMembers: TextMembers = defineTextMembers({
  'input': 'json',
  'wire': 'word',
  'kind': 'word',
  'mode': 'word',
  'only': 'word',
  'detail': 'word',
  'effort': 'word',
  'verbosity': 'word',
  'ttl': 'word',
  'reason': 'word',
  'mediaType': 'word',
  'serviceTier': 'word',
  'vendorType': 'word',
  'parts.name': 'word',
  'tools.name': 'word',
  'namespace.name': 'word',
  'namespace.tool': 'word',
  'base64': 'bytes',
  'fileId': 'reference',
  'media.url': 'link',
  'proof.value': 'encrypted',
});
