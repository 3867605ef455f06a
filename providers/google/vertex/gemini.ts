import type { EndpointWire } from '../../../core/api/index.ts';
import { isObject, readObject, type BodyEdit } from '../../../core/api/codec.ts';
import { applyEdits, createEdits } from '../edits.ts';
import { findInnerRequest, WIRE as GENERATE_WIRE, readRepeated } from '../generate-content/shape.ts';
import { interactionsCodec } from '../interactions/index.ts';
import { isImagen, listMediaWires } from '../media-wires.ts';
import { billingOf, hasInteractions, needsInteractions } from '../models.ts';
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
    const member = findInnerRequest(body);
    const whole = member === undefined ? body : { ...body, ...readObject(body[member]) };
    const edited = applyEdits(whole, edits(whole, context));
    return [
      ...Object.keys(body).flatMap((member) => (kept.has(member) ? [] : [{ member, value: undefined }])),
      ...counted.flatMap((member) => (edited[member] === body[member] ? [] : [{ member, value: edited[member] }])),
    ];
  };
};

/** Models for which Google's SDK calls `:embedContent`. Older ones have only `:predict`. */
const embedsContent = (model: string): boolean => model.includes('gemini') && !model.includes('gemini-embedding-001');

/** Most texts of one call: https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings#api_limits */
const countTexts = (model: string): number => (model.includes('gemini-embedding') ? 1 : 250);

/** A model of Google by its name, without the collection; `undefined` for a model at an endpoint of the project. */
const PUBLISHED = /^(?:publishers\/google\/models\/)?([^/]+)$/;

/**
 * The wire of interactions, whose body has the name of the model.
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/capabilities/interactions
 */
const createInteractionsWire = (name: string, buildRequest: EndpointWire['buildRequest']): EndpointWire => ({
  operation: 'generate',
  wire: interactionsCodec.wire,
  background: true,
  edits: ({ model }) => (model === name ? [] : [{ member: 'model', value: name }]),
  buildRequest,
  classify,
});

/**
 * The wires of a model of Google.
 * @param interactions the address of interactions; absent: the credentials cannot use them
 */
export function createGeminiWires(
  model: string,
  addressOf: (plain: string, streamed?: string) => EndpointWire['buildRequest'],
  interactions: EndpointWire['buildRequest'] | undefined,
): readonly EndpointWire[] {
  if (isImagen(model)) return listMediaWires(model, addressOf, classify);
  const edits = createVertexEdits(model);
  const [, name] = PUBLISHED.exec(model) ?? [];
  const billing = billingOf(name ?? model);
  const interacts =
    name === undefined || interactions === undefined || !hasInteractions(name)
      ? []
      : [{ ...createInteractionsWire(name, interactions), ...billing }];
  if (needsInteractions(model) && interacts.length > 0) return interacts;
  return [
    {
      operation: 'generate',
      wire: GENERATE_WIRE,
      edits,
      ...billing,
      buildRequest: addressOf(':generateContent', ':streamGenerateContent?alt=sse'),
      classify,
    },
    ...interacts,
    {
      operation: 'count-tokens',
      wire: GENERATE_WIRE,
      edits: createCountEdits(edits),
      buildRequest: addressOf(':countTokens'),
      classify,
    },
    {
      operation: 'embed',
      ...(embedsContent(model)
        ? { wire: singleEmbedCodec.wire, buildRequest: addressOf(':embedContent') }
        : { wire: predictCodec.wire, buildRequest: addressOf(':predict') }),
      maxInputs: countTexts(model),
      classify,
    },
    ...listMediaWires(model, addressOf, classify),
  ];
}
