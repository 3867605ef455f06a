import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type StoredReference } from '../../../../../core/api/codec.ts';

/**
 * The content of one type of item, by the names of members. `whole`: one of them makes the item complete. `part`: with
 * one of them the item is complete for a client, but the vendor can hold more of it under its id, such as the results
 * of a search. With none of them, the item is a reference by its id.
 */
interface Content {
  readonly whole: readonly string[];
  readonly part?: readonly string[];
  /** The content can be empty: a command without output. */
  readonly canBeEmpty?: true;
  /** Without it a conversation can be continued, also at another vendor. */
  readonly optional?: true;
}

const output: Content = { whole: ['output'], canBeEmpty: true };
const call: Content = { whole: ['name', 'arguments', 'input'] };
const action: Content = { whole: ['action', 'actions'] };
const tools: Content = { whole: ['tools', 'error'], canBeEmpty: true };

/**
 * Types that the SDK declares as input, and `agent_message` of Codex:
 * https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 */
const contents: Readonly<Record<string, Content>> = {
  message: { whole: ['content'] },
  agent_message: { whole: ['content'] },
  reasoning: { whole: ['encrypted_content'], part: ['summary', 'content'], optional: true },
  compaction: { whole: ['encrypted_content'] },
  image_generation_call: { whole: [], part: ['result'] },
  file_search_call: { whole: [], part: ['queries', 'results'] },
  web_search_call: { whole: [], part: ['action'] },
  code_interpreter_call: { whole: [], part: ['code', 'outputs'] },
  mcp_list_tools: tools,
  mcp_call: { whole: [], part: ['name', 'arguments', 'output', 'error'] },
  mcp_approval_request: call,
  mcp_approval_response: { whole: ['approve'] },
  function_call: call,
  custom_tool_call: call,
  function_call_output: output,
  custom_tool_call_output: output,
  computer_call: action,
  computer_call_output: output,
  local_shell_call: action,
  local_shell_call_output: output,
  shell_call: action,
  shell_call_output: output,
  apply_patch_call: { whole: ['operation'] },
  apply_patch_call_output: { whole: ['output', 'call_id'], canBeEmpty: true },
  tool_search_call: { whole: ['arguments'], canBeEmpty: true },
  tool_search_output: tools,
  additional_tools: tools,
  program: { whole: ['code'] },
  program_output: { whole: ['result'], canBeEmpty: true },
};

/** Items without content of their own, which their type alone says everything of. */
const isBare: ReadonlySet<unknown> = new Set(['compaction_trigger', 'configuration_update']);

/** Members of any item that say which it is, and nothing of its content. */
const identity: ReadonlySet<string> = new Set([
  'type',
  'id',
  'object',
  'status',
  'role',
  'phase',
  'call_id',
  'server_label',
  'container_id',
  'execution',
  'created_at',
  'created_by',
]);

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) ? Object.keys(value).length === 0 : false);

const hasSome = (item: Readonly<JsonObject>, names: readonly string[], canBeEmpty = false): boolean =>
  names.some((name) => {
    const value = item[name] ?? undefined;
    return value !== undefined && (canBeEmpty || !isEmpty(value));
  });

/** `id` in any spelling that some server accepts. */
const isId = (name: string): boolean => /^_*i_*d_*$/i.test(name);

/** A type that is not known here: content of any name. The vendor can hold more of it. */
const ofUnknown = (item: Readonly<JsonObject>): Content => ({
  whole: [],
  part: Object.keys(item).filter((name) => !identity.has(name) && !isId(name)),
});

const readId = (item: Readonly<JsonObject>): string | undefined => {
  const name = 'id' in item ? 'id' : Object.keys(item).find(isId);
  const id = name === undefined ? undefined : item[name];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/**
 * Whether an item of the input refers to one that the vendor has stored. An item with its content is none, whatever its
 * id: clients send back all items of earlier responses.
 */
export function readItemReference(item: unknown): StoredReference | boolean {
  if (!isObject(item)) return false;
  const { type } = item;
  if (type === 'item_reference') return true;
  const id = readId(item);
  if (id === undefined || isBare.has(type)) return false;
  const known = typeof type === 'string' && type !== '' ? lookUp(contents, type) : contents['message'];
  const { whole, part = [], canBeEmpty, optional } = known ?? ofUnknown(item);
  if (hasSome(item, whole, canBeEmpty)) return false;
  if (hasSome(item, part)) return { id, without: 'complete' };
  return optional === true ? { id, without: 'usable' } : { id };
}
