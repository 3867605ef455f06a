import type { EndpointWire, JsonObject } from '../../../core/api/index.ts';
import { isObject, type BodyEdit } from '../../../core/api/codec.ts';
import { createEdits } from '../edits/index.ts';
import { WIRE as GENERATE_WIRE, readRepeated } from '../generate-content/shape.ts';
import { readGeneration } from '../models.ts';
import { predictCodec, singleEmbedCodec } from '../predict/index.ts';
import { classify } from './classify.ts';

type Edits = NonNullable<EndpointWire['edits']>;

/** The Gemini API reads a content without a role as the user's; Vertex AI refuses it. */
const addRoles = (contents: unknown): readonly BodyEdit[] => {
  const listed = readRepeated(contents);
  if (listed.every((content) => !isObject(content) || 'role' in content)) return [];
  const value = listed.map((content) =>
    isObject(content) && !('role' in content) ? { role: 'user', ...content } : content,
  );
  return [{ member: 'contents', value }];
};

const applyEdits = (body: Readonly<JsonObject>, edits: readonly BodyEdit[]): Readonly<JsonObject> => ({
  ...body,
  ...Object.fromEntries(edits.map(({ member, value }) => [member, value])),
});

/** The edits of the model, with a role in each content and without the model, which the path has. */
const createVertexEdits = (model: string): Edits => {
  const { edits } = createEdits(model, false);
  return (body, context) => {
    const made = edits?.(body, context) ?? [];
    return [
      ...made,
      ...addRoles(applyEdits(body, made)['contents']),
      ...('model' in body ? [{ member: 'model', value: undefined }] : []),
    ];
  };
};

const nested = ['generateContentRequest', 'generate_content_request'] as const;
/** Vertex AI counts these, at the top level. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
const counted = [
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'generationConfig',
  'generation_config',
] as const;

/** Moves the members of the nested request to the top. */
const createCountEdits = (edits: Edits): Edits => {
  const kept: ReadonlySet<string> = new Set(counted);
  return (body, context) => {
    const inner = nested.map((name) => body[name]).find(isObject);
    const whole = inner === undefined ? body : { ...body, ...inner };
    const edited = applyEdits(whole, edits(whole, context));
    return [
      ...Object.keys(body).flatMap((member) => (kept.has(member) ? [] : [{ member, value: undefined }])),
      ...counted.flatMap((member) => (edited[member] === body[member] ? [] : [{ member, value: edited[member] }])),
    ];
  };
};

/** Models for which Google's SDK calls `:embedContent`. Older ones have only `:predict`. */
const embedsContent = (model: string): boolean => model.includes('gemini') && !model.includes('gemini-embedding-001');

/** The wires of a model of Google. */
export function createGeminiWires(
  model: string,
  addressOf: (plain: string, streamed?: string) => EndpointWire['buildRequest'],
): readonly EndpointWire[] {
  const edits = createVertexEdits(model);
  // Before Gemini 3, a prompt with searches is billed once: https://cloud.google.com/vertex-ai/generative-ai/pricing
  const billsOneSearch = (readGeneration(model) ?? 3) < 3;
  return [
    {
      operation: 'generate',
      wire: GENERATE_WIRE,
      edits,
      ...(billsOneSearch ? { billsOneSearch } : {}),
      buildRequest: addressOf(':generateContent', ':streamGenerateContent?alt=sse'),
      classify,
    },
    {
      operation: 'count-tokens',
      wire: GENERATE_WIRE,
      edits: createCountEdits(edits),
      buildRequest: addressOf(':countTokens'),
      classify,
    },
    embedsContent(model)
      ? { operation: 'embed', wire: singleEmbedCodec.wire, buildRequest: addressOf(':embedContent'), classify }
      : { operation: 'embed', wire: predictCodec.wire, buildRequest: addressOf(':predict'), classify },
  ];
}
