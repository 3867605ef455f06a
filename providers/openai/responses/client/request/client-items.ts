import type { JsonObject, Part } from '../../../../../core/api/index.ts';
import { type Members, readList, readObject, readText } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { findCalledTool, keepItem } from '../../client-tools.ts';
import { joinNamespace } from '../../namespaces.ts';
import { decodeImage } from './media.ts';
import { isOfProgram, type ItemReader, type ReadItem, readOpaque } from './items.ts';

/** A search that the vendor executes has neither a call of the client nor a result of it. */
const isAtVendor = ({ type, execution, call_id: id }: JsonObject): boolean =>
  readText(type).startsWith('tool_search_') && (execution !== 'client' || readText(id) === '');

const readCall: ReadItem = (item, reader, value) => {
  const tool = findCalledTool(item.requiredString('type'));
  if (tool === undefined || isOfProgram(value) || isAtVendor(value)) return readOpaque(item, reader, value);
  const part: Part = {
    type: 'tool-call',
    id: item.requiredString('call_id'),
    name: tool.name,
    kind: 'function',
    input: JSON.stringify(tool.readInput(value)),
  };
  return reader.conversation.addStep(keepItem(part, value));
};

const listFound = (tools: unknown, namespace = ''): readonly string[] =>
  readList(tools).flatMap((tool) => {
    const { type, name, description, tools: inner } = readObject(tool);
    if (type === 'namespace') return listFound(inner, readText(name));
    return [`- ${joinNamespace(namespace, readText(name))}: ${readText(description)}`];
  });

/** What a call returned, as text or as an image. */
type ReadOutput = (item: Members, value: JsonObject, measureImage: ItemReader['measureImage']) => Part;

const textPart = (text: string): Part => ({ type: 'text', text });

const outputReaders: Readonly<Record<string, ReadOutput>> = {
  tool_search_output: (_item, { tools }) => {
    const found = listFound(tools);
    return textPart(found.length === 0 ? 'No tools were found.' : `These tools were found:\n${found.join('\n')}`);
  },
  local_shell_call_output: (item) => textPart(item.string('output') ?? ''),
  shell_call_output: (_item, { output }) => textPart(JSON.stringify(output ?? [])),
  apply_patch_call_output: (item, { status }) => textPart(item.string('output') ?? readText(status)),
  computer_call_output: (item, _value, measureImage) => {
    const output = item.object('output');
    if (output === undefined) throw invalidMember(item.at('output'), 'is required.');
    return decodeImage(output, measureImage);
  },
};

const failures: ReadonlySet<unknown> = new Set(['failed', 'incomplete']);

const readOutput: ReadItem = (item, reader, value) => {
  const read = outputReaders[item.requiredString('type')];
  // The output of the local shell has the id of the call as its own.
  const id = item.string('call_id') ?? item.string('id') ?? '';
  if (read === undefined || id === '' || isOfProgram(value) || isAtVendor(value))
    return readOpaque(item, reader, value);
  const output = read(item, value, reader.measureImage);
  const parts = output.type === 'text' && output.text === '' ? [] : [output];
  const part: Part = { type: 'tool-result', id, failed: failures.has(value['status']), parts };
  return reader.conversation.addResult(keepItem(part, value));
};

/** Items of tools that the client executes. */
export const clientItemReaders: Readonly<Record<string, ReadItem>> = {
  tool_search_call: readCall,
  local_shell_call: readCall,
  shell_call: readCall,
  apply_patch_call: readCall,
  computer_call: readCall,
  ...Object.fromEntries(Object.keys(outputReaders).map((type) => [type, readOutput])),
};
