import type { GoogleVendorAnswer } from '../vendors/vendor-google.ts';
import type { Json, Tokens } from '../wires.ts';

/** Bodies of the older wire of Google, as its guide to migration has them on the newer one, without our code. */

const list = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];

const contentOf = ({ text, inlineData, fileData }: Json): Json => {
  if (text !== undefined) return { type: 'text', text };
  const { mimeType, data, fileUri } = (inlineData ?? fileData) as Json;
  const type = String(mimeType ?? 'document/').split('/')[0] === 'image' ? 'image' : 'document';
  return {
    type,
    ...(mimeType === undefined ? {} : { mime_type: mimeType }),
    ...(data === undefined ? { uri: fileUri } : { data }),
  };
};

const resultOf = ({ functionResponse }: Json): Json => {
  const { id, name, response, parts } = functionResponse as Json;
  const { output, error, ...others } = response as Json;
  const said = error ?? output ?? others;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  return {
    type: 'function_result',
    call_id: id,
    name,
    result: parts === undefined ? text : [{ type: 'text', text }, ...list(parts).map(contentOf)],
    ...(error === undefined ? {} : { is_error: true }),
  };
};

/** The steps of a turn: neighbouring content is one step. */
export function stepsOf(role: unknown, parts: readonly Json[]): readonly Json[] {
  const type = role === 'model' ? 'model_output' : 'user_input';
  const steps: Json[] = [];
  let content: Json[] | undefined;
  for (const part of parts) {
    const { functionCall, functionResponse, thought, text, thoughtSignature: signature } = part;
    const signed = signature === undefined ? {} : { signature };
    if (functionCall === undefined && functionResponse === undefined && thought !== true) {
      if (content === undefined) steps.push({ type, content: (content = []) });
      content.push(contentOf(part));
      continue;
    }
    content = undefined;
    if (functionResponse !== undefined) steps.push(resultOf(part));
    else if (functionCall === undefined)
      steps.push({ type: 'thought', ...signed, ...(text === '' ? {} : { summary: [{ type: 'text', text }] }) });
    else {
      const { args, ...call } = functionCall as Json;
      steps.push({ type: 'function_call', ...call, arguments: args });
    }
  }
  return steps;
}

const functionOf = ({ parametersJsonSchema: parameters, ...declaration }: Json): Json => ({
  type: 'function',
  ...declaration,
  ...(parameters === undefined ? {} : { parameters }),
});

const modes: Readonly<Record<string, string>> = { AUTO: 'auto', ANY: 'any', NONE: 'none', VALIDATED: 'validated' };
const choiceOf = ({ mode, allowedFunctionNames: tools }: Json): unknown =>
  tools === undefined ? modes[String(mode)] : { allowed_tools: { mode: modes[String(mode)], tools } };

const named = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const configOf = (config: Json, choice: unknown): Json => {
  const { thinkingLevel, includeThoughts } = (config['thinkingConfig'] ?? {}) as Json;
  return named({
    max_output_tokens: config['maxOutputTokens'],
    temperature: config['temperature'],
    top_p: config['topP'],
    seed: config['seed'],
    stop_sequences: config['stopSequences'],
    thinking_level: thinkingLevel === undefined ? undefined : String(thinkingLevel).toLowerCase(),
    thinking_summaries: includeThoughts === true ? 'auto' : undefined,
    tool_choice: choice,
  });
};

/** A request body of generate-content as one of interactions. */
export function requestOf(body: Json): Json {
  const config = (body['generationConfig'] ?? {}) as Json;
  const calling = (body['toolConfig'] as Json | undefined)?.['functionCallingConfig'];
  const settings = configOf(config, calling === undefined ? undefined : choiceOf(calling as Json));
  const system = body['systemInstruction'] as Json | undefined;
  const schema = config['responseJsonSchema'];
  return named({
    input: list(body['contents']).flatMap(({ role, parts }) => stepsOf(role, list(parts))),
    system_instruction:
      system === undefined
        ? undefined
        : list(system['parts'])
            .map(({ text }) => text)
            .join('\n\n'),
    tools: (body['tools'] as readonly Json[] | undefined)?.flatMap((tool) =>
      list(tool['functionDeclarations']).map(functionOf),
    ),
    generation_config: Object.keys(settings).length === 0 ? undefined : settings,
    response_format:
      config['responseMimeType'] === undefined
        ? undefined
        : named({ type: 'text', mime_type: config['responseMimeType'], schema }),
    service_tier: body['serviceTier'],
  });
}

export const usageOf = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  total_tokens: fresh + read + write + output,
  total_input_tokens: fresh + read + write,
  total_cached_tokens: read,
  total_output_tokens: output - reasoning,
  total_tool_use_tokens: 0,
  total_thought_tokens: reasoning,
});

const head = { id: 'v1_vendor', object: 'interaction', model: 'vendor-interactions' };

const statusOf = ({ finish, parts }: GoogleVendorAnswer): string =>
  // A prompt that was blocked has no finish reason.
  finish === undefined || finish === 'MAX_TOKENS' || finish === 'SAFETY'
    ? 'incomplete'
    : parts.some((part) => 'functionCall' in part)
      ? 'requires_action'
      : 'completed';

/** A signature of a call or a text stands in a thought before it on this wire. */
const answerSteps = ({ parts }: GoogleVendorAnswer): readonly Json[] =>
  parts.flatMap((part) => {
    const { thoughtSignature: signature, ...plain } = part;
    const isThought = part['thought'] === true;
    const before = signature === undefined || isThought ? [] : [{ type: 'thought', signature }];
    return [...before, ...stepsOf('model', [isThought ? part : plain])];
  });

const endOf = (answer: GoogleVendorAnswer, tokens: Tokens): Json => ({
  ...head,
  status: statusOf(answer),
  usage: usageOf(tokens),
});

/** A response of a generate-content vendor as one of interactions. */
export const bodyOf = (answer: GoogleVendorAnswer, tokens: Tokens): string =>
  JSON.stringify({ ...endOf(answer, tokens), steps: answerSteps(answer) });

const frame = (type: string, members: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ ...members, event_type: type })}\n\n`;

/** Halves of a text, also of the two halves of a character. */
const halves = (text: string): readonly string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

const deltasOf = (step: Json): readonly Json[] => {
  if (step['type'] === 'function_call')
    return halves(JSON.stringify(step['arguments'])).map((piece) => ({ type: 'arguments_delta', arguments: piece }));
  if (step['type'] === 'model_output')
    return list(step['content']).flatMap(({ text }) =>
      halves(String(text)).map((half) => ({ type: 'text', text: half })),
    );
  return [
    ...list(step['summary']).flatMap(({ text }) =>
      halves(String(text)).map((half) => ({ type: 'thought_summary', content: { type: 'text', text: half } })),
    ),
    ...(step['signature'] === undefined ? [] : [{ type: 'thought_signature', signature: step['signature'] }]),
  ];
};

const startOf = ({ type, id, name }: Json): Json =>
  type === 'function_call' ? { type, id, name, arguments: {} } : { type };

/** The same response as a stream. */
export const framesOf = (answer: GoogleVendorAnswer, tokens: Tokens): readonly string[] => [
  frame('interaction.created', { interaction: { ...head, status: 'in_progress' } }),
  frame('interaction.status_update', { interaction_id: head.id, status: 'in_progress' }),
  ...answerSteps(answer).flatMap((step, index) => [
    frame('step.start', { index, step: startOf(step) }),
    ...deltasOf(step).map((delta) => frame('step.delta', { index, delta })),
    frame('step.stop', { index }),
  ]),
  frame('interaction.completed', { interaction: endOf(answer, tokens) }),
  'event: done\ndata: [DONE]\n\n',
];
