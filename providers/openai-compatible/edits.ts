import type { EndpointWire, JsonObject } from '../../core/api/index.ts';
import { isObject, type BodyEdit } from '../../core/api/codec.ts';
import type { BodySettings, Quirks } from './schema.ts';

/** Changes to an encoded body, as `EndpointWire.edits` returns them. */
export type Edit = NonNullable<EndpointWire['edits']>;

const isDeveloper = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'developer';

/** Chat templates of open models have one role for instructions, and ignore or refuse `developer`. */
export const editRoles = ({ messages }: Readonly<JsonObject>): readonly BodyEdit[] =>
  Array.isArray(messages) && messages.some(isDeveloper)
    ? [
        {
          member: 'messages',
          value: messages.map((message: unknown) => (isDeveloper(message) ? { ...message, role: 'system' } : message)),
        },
      ]
    : [];

/** vLLM refuses `null`, which on this wire means that the member is absent. */
export const editEmbeddings = ({ encoding_format: encoding }: Readonly<JsonObject>): readonly BodyEdit[] =>
  encoding === null ? [{ member: 'encoding_format', value: undefined }] : [];

/** The gateway adds the member to no request for such a server, so it is the client's. */
const removeStreamOptions: Edit = ({ stream_options: options }, { lose }) => {
  if (options === undefined) return [];
  lose('stream_options', 'dropped', 'this provider refuses the member');
  return [{ member: 'stream_options', value: undefined }];
};

const renameMembers =
  (names: readonly (readonly [from: string, to: string])[]): Edit =>
  (body, { lose }) =>
    names.flatMap(([from, to]) => {
      if (body[from] === undefined) return [];
      if (body[to] !== undefined) lose(to, 'dropped', `this provider reads '${from}' from there`);
      return [
        { member: from, value: undefined },
        { member: to, value: body[from] },
      ];
    });

/** Removes members that the server refuses, wherever they are set. */
export const removeMembers =
  (members: readonly string[]): Edit =>
  (body, { lose }) =>
    members.flatMap((member) => {
      if (body[member] === undefined) return [];
      // The name of the model is the gateway's.
      if (member !== 'model') lose(member, 'dropped', 'this provider has no such member');
      return [{ member, value: undefined }];
    });

const setMembers = (members: Readonly<JsonObject>): Edit => {
  const all = Object.entries(members).map(([member, value]) => ({ member, value, text: JSON.stringify(value) }));
  return (body, { lose }) => {
    for (const { member, text } of all)
      if (body[member] !== undefined && JSON.stringify(body[member]) !== text)
        lose(member, 'approximated', 'the configuration of this provider sets it');
    return all;
  };
};

/** The edits of the settings, in the order of their application. */
const listEdits = ({ set = {}, remove = [], rename = {} }: BodySettings): readonly Edit[] => {
  const names = Object.entries(rename);
  return [
    ...(names.length === 0 ? [] : [renameMembers(names)]),
    ...(remove.length === 0 ? [] : [removeMembers(remove)]),
    ...(Object.keys(set).length === 0 ? [] : [setMembers(set)]),
  ];
};

/** Each edit sees the body as the earlier ones leave it. */
const joinEdits =
  (edits: readonly Edit[]): Edit =>
  (body, request) => {
    const all: BodyEdit[] = [];
    let edited = body;
    for (const edit of edits) {
      const found = edit(edited, request);
      if (found.length === 0) continue;
      all.push(...found);
      edited = { ...edited, ...Object.fromEntries(found.map(({ member, value }) => [member, value])) };
    }
    return all;
  };

/** @param own the edits of the wire and of the vendor, which come first */
export function createEdits(
  { body = {}, streamOptions = true }: Quirks,
  own: readonly (Edit | undefined)[],
): Pick<EndpointWire, 'edits'> {
  const [first, ...others] = [
    ...own.filter((edit) => edit !== undefined),
    ...(streamOptions ? [] : [removeStreamOptions]),
    ...listEdits(body),
  ];
  if (first === undefined) return {};
  return { edits: others.length === 0 ? first : joinEdits([first, ...others]) };
}
