import type { JsonObject, Part, Tool } from '../../../core/api/index.ts';
import { isObject, lookUp, omitUndefined, readList, readObject, readText } from '../../../core/api/codec.ts';

/**
 * Tools that OpenAI's models know by their types, and that the client executes. For other models they are functions.
 * https://platform.openai.com/docs/guides/tools
 */
export interface ClientTool {
  /** The name of the function. */
  readonly name: string;
  /** The type of the items that call it, and the prefix of their ids. */
  readonly call: string;
  readonly prefix: string;
  /** The function. `undefined` if this definition says that the vendor executes the tool. */
  readonly describe: (definition: JsonObject) => Pick<Tool, 'description' | 'schema'> | undefined;
  /** The arguments of a call that is an item. */
  readonly readInput: (item: JsonObject) => unknown;
  /** The members of an item that calls it. */
  readonly writeCall: (input: JsonObject) => JsonObject;
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const number = (description: string): JsonObject => ({ type: 'number', description });
const listOf = (items: JsonObject, description: string): JsonObject => ({ type: 'array', items, description });
const objectOf = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const milliseconds = number('The time limit in milliseconds.');

const toolSearch: ClientTool = {
  name: 'tool_search',
  call: 'tool_search_call',
  prefix: 'tsc_',
  describe: ({ execution, description, parameters }) =>
    execution === 'client'
      ? {
          description: readText(description) || 'Finds further tools, which can be called from the next turn on.',
          schema: isObject(parameters) ? parameters : objectOf({ query: text('What the tool should do.') }, ['query']),
        }
      : undefined,
  readInput: ({ arguments: input }) => input ?? {},
  writeCall: (input) => ({ execution: 'client', arguments: input }),
};

const localShell: ClientTool = {
  name: 'local_shell',
  call: 'local_shell_call',
  prefix: 'lsh_',
  describe: () => ({
    description: 'Runs a command on the computer of the user, and returns its output.',
    schema: objectOf(
      {
        command: listOf({ type: 'string' }, 'The program and its arguments.'),
        working_directory: text('The folder in which the command runs.'),
        timeout_ms: milliseconds,
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Variables of the environment.' },
      },
      ['command'],
    ),
  }),
  readInput: ({ action }) => {
    const { type: _type, ...input } = readObject(action);
    return input;
  },
  writeCall: ({ command, env, ...input }) => ({
    action: { type: 'exec', ...input, command: readList(command), env: readObject(env) },
  }),
};

const shell: ClientTool = {
  name: 'shell',
  call: 'shell_call',
  prefix: 'sh_',
  describe: ({ environment }) =>
    environment === undefined || environment === null || readObject(environment)['type'] === 'local'
      ? {
          description: 'Runs shell commands on the computer of the user, and returns their output.',
          schema: objectOf(
            {
              commands: listOf({ type: 'string' }, 'The commands, each of them a line for the shell.'),
              timeout_ms: milliseconds,
              max_output_length: number('The largest number of characters of the output.'),
            },
            ['commands'],
          ),
        }
      : undefined,
  readInput: ({ action }) => readObject(action),
  writeCall: ({ commands, timeout_ms: timeout = null, max_output_length: length = null }) => ({
    action: { commands: readList(commands), timeout_ms: timeout, max_output_length: length },
    environment: { type: 'local' },
  }),
};

const applyPatch: ClientTool = {
  name: 'apply_patch',
  call: 'apply_patch_call',
  prefix: 'apc_',
  describe: () => ({
    description:
      'Creates, changes or deletes one file. A diff has no file header: its hunks begin with @@, and its lines with ' +
      'a space, + or -. The diff of a new file has lines with + only.',
    schema: objectOf(
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('The path of the file.'),
        diff: text('The change, for create_file and update_file.'),
      },
      ['type', 'path'],
    ),
  }),
  readInput: ({ operation }) => readObject(operation),
  writeCall: (operation) => ({ operation }),
};

const coordinate = { type: 'integer' };
const keys = listOf({ type: 'string' }, 'Keys, such as CTRL and A.');
const action = objectOf(
  {
    type: {
      type: 'string',
      enum: ['click', 'double_click', 'drag', 'keypress', 'move', 'screenshot', 'scroll', 'type', 'wait'],
    },
    x: coordinate,
    y: coordinate,
    button: { type: 'string', enum: ['left', 'right', 'wheel', 'back', 'forward'] },
    keys,
    path: listOf(objectOf({ x: coordinate, y: coordinate }, ['x', 'y']), 'The points of a drag.'),
    scroll_x: coordinate,
    scroll_y: coordinate,
    text: text('What is typed.'),
  },
  ['type'],
);
const COMPUTER = 'Controls the mouse and the keyboard of a computer. The result is a screenshot.';

const computer: ClientTool = {
  name: 'computer',
  call: 'computer_call',
  prefix: 'cu_',
  describe: () => ({
    description: COMPUTER,
    schema: objectOf({ actions: listOf(action, 'The actions, in order.') }, ['actions']),
  }),
  readInput: ({ action: single, actions }) => (actions === undefined ? readObject(single) : { actions }),
  writeCall: ({ actions }) => ({ actions: readList(actions), pending_safety_checks: [] }),
};

const computerPreview: ClientTool = {
  ...computer,
  describe: ({ display_width: width, display_height: height, environment }) => ({
    description: `${COMPUTER} The screen has ${String(width)} x ${String(height)} pixels (${readText(environment)}).`,
    schema: action,
  }),
  writeCall: (input) => ({ action: input, pending_safety_checks: [] }),
};

const byType: Readonly<Record<string, ClientTool>> = {
  tool_search: toolSearch,
  local_shell: localShell,
  shell,
  apply_patch: applyPatch,
  computer,
  computer_use_preview: computerPreview,
};

/** The tool of this type, if there is one that clients execute. */
export const findClientTool = (type: string | undefined): ClientTool | undefined =>
  type === undefined ? undefined : lookUp(byType, type);

/** The tool that items of this type call. */
export const findCalledTool = (call: string): ClientTool | undefined =>
  Object.values(byType).find((tool) => tool.call === call);

/** A tool that the client executes, as a function; `undefined` if this one runs at the vendor. */
export function describeClientTool(type: string, definition: JsonObject): Tool | undefined {
  const known = findClientTool(type);
  const described = known?.describe(definition);
  if (known === undefined || described === undefined) return undefined;
  const { type: _type, ...vendor } = definition;
  return omitUndefined({ name: known.name, kind: 'function', ...described, vendorType: type, vendor });
}

/** A symbol is copied when the part is spread, and no other code sees it. */
const ITEM = Symbol('item of a tool that the client executes');
type FromItem = Part & { readonly [ITEM]?: JsonObject };

/** Keeps the item of a call or of its result, which a vendor of this wire gets as it is. */
export const keepItem = (part: Part, value: JsonObject): FromItem => ({ ...part, [ITEM]: value });
export const readKeptItem = (part: Part): JsonObject | undefined => (part as FromItem)[ITEM];
