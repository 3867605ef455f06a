import type { Json, Wire } from '../../matrix/wires.ts';
import { listOf } from './conversation.ts';

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  /** Takes a text instead of arguments. */
  readonly isCustom: boolean;
  /** The required members of its arguments. */
  readonly required: readonly unknown[];
}

const describe = (tool: Json, schema: unknown, namespace?: string): OfferedTool => ({
  name: String(tool['name']),
  ...(namespace === undefined ? {} : { namespace }),
  isCustom: tool['type'] === 'custom' && schema === undefined,
  required: ((schema as Json | undefined)?.['required'] ?? []) as readonly unknown[],
});

const readResponsesTools = (tools: unknown, namespace?: string): readonly OfferedTool[] =>
  listOf(tools).flatMap((tool) =>
    tool['type'] === 'namespace'
      ? readResponsesTools(tool['tools'], String(tool['name']))
      : [describe(tool, tool['parameters'], namespace)],
  );

const readers: Readonly<Record<Wire, (body: Json) => readonly OfferedTool[]>> = {
  chat: ({ tools }) =>
    listOf(tools).map((tool) => {
      const inner = tool[String(tool['type'])] as Json;
      return describe({ ...inner, type: tool['type'] }, inner['parameters']);
    }),
  messages: ({ tools }) => listOf(tools).map((tool) => describe(tool, tool['input_schema'])),
  responses: ({ tools, input }) => [
    ...readResponsesTools(tools),
    ...listOf(input).flatMap((item) => (item['type'] === 'additional_tools' ? readResponsesTools(item['tools']) : [])),
  ],
  google: ({ tools }) =>
    listOf(tools).flatMap(({ functionDeclarations }) =>
      listOf(functionDeclarations).map((tool) => describe(tool, tool['parametersJsonSchema'] ?? tool['parameters'])),
    ),
};

/** The functions and custom tools of a request. */
export const readTools = (wire: Wire, body: Json): readonly OfferedTool[] => readers[wire](body);
