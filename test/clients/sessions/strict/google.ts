import type { Json } from '../../../matrix/wires.ts';
import { proofs } from '../answers.ts';
import { listOf } from '../conversation.ts';
import { findUnknown } from './sdk-members.ts';

const known = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
  'labels',
  'store',
  'serviceTier',
]);
const datas = new Set([
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]);
const besides = ['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'];
const partMembers = new Set([...datas, ...besides]);
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
/** Accepted by Google in place of a signature: https://ai.google.dev/gemini-api/docs/thought-signatures */
const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
const signatures = new Set<unknown>([
  undefined,
  proofs.google,
  ...placeholders,
  ...placeholders.map((text) => Buffer.from(text).toString('base64')),
]);

const findPartFault = (part: Json): string | undefined => {
  const unknown = findUnknown(part, partMembers);
  if (unknown !== undefined) return `Unknown name "${unknown}" at 'contents.parts'`;
  const members = Object.keys(part).filter((member) => datas.has(member));
  if (members.length !== 1) return `a part has ${members.length} of its members: ${JSON.stringify(part).slice(0, 100)}`;
  return signatures.has(part['thoughtSignature']) ? undefined : 'Thought signature is not valid';
};

const partsOf = (content: Json | undefined): readonly Json[] => listOf(content?.['parts']);
const namesOf = (content: Json | undefined, member: string): readonly string[] =>
  partsOf(content).flatMap((part) => (part[member] === undefined ? [] : [String((part[member] as Json)['name'])]));

/** The calls of a content are answered by the next one, and the first call is signed. */
const findPairFault = (contents: readonly Json[]): string | undefined => {
  for (const [index, content] of contents.entries()) {
    const calls = namesOf(content, 'functionCall');
    const results = namesOf(contents[index + 1], 'functionResponse');
    if (calls.toSorted().join() !== results.toSorted().join())
      return `contents[${index}] calls ${calls.join() || 'nothing'}, the responses are of ${results.join() || 'nothing'}`;
    const first = partsOf(content).find(({ functionCall }) => functionCall !== undefined);
    if (first !== undefined && first['thoughtSignature'] === undefined)
      return `Function call is missing a thought_signature in functionCall parts: contents[${index}]`;
  }
  return namesOf(contents[0], 'functionResponse').length > 0 ? 'a response without a call' : undefined;
};

const findToolFault = ({ name, parameters, parametersJsonSchema }: Json): string | undefined => {
  if (!NAME.test(String(name))) return `invalid name of a function: ${String(name)}`;
  return parameters === undefined || parametersJsonSchema === undefined ? undefined : `${String(name)} has two schemas`;
};

const findContentFault = (content: Json): string | undefined => {
  if (content['role'] !== 'user' && content['role'] !== 'model') return `unknown role ${String(content['role'])}`;
  if (partsOf(content).length === 0) return 'contents.parts must not be empty';
  return partsOf(content)
    .map(findPartFault)
    .find((fault) => fault !== undefined);
};

/** Why Google would refuse a request. */
export const findGoogleFault = (body: Json): string | undefined => {
  const unknown = findUnknown(body, known);
  if (unknown !== undefined) return `Unknown name "${unknown}"`;
  const contents = listOf(body['contents']);
  if (contents.length === 0) return 'contents are required';
  const functions = listOf(body['tools']).flatMap(({ functionDeclarations: declared }) => listOf(declared));
  return (
    contents.map(findContentFault).find((fault) => fault !== undefined) ??
    functions.map(findToolFault).find((fault) => fault !== undefined) ??
    findPairFault(contents)
  );
};
