import type { Json } from '../matrix/wires.ts';

/** The built-in model names: for the conversation, and for summaries and other small work. */
export const geminiModels = ['gemini-3-pro-preview', 'gemini-2.5-flash', 'gemini-2.5-flash-lite'] as const;
const [model] = geminiModels;

export const geminiHeaders = { 'user-agent': 'GeminiCLI/0.15.0/gemini-3-pro-preview (linux; x64)' } as const;

export const instruction = 'You are an agent that works in a terminal.\n# Core mandates\n…';
export const context = 'This is the Gemini CLI. The date is 2026-11-21.';
export const gotIt = 'Got it. Thanks for the context!';
export const task = 'What is in the folder?';

export const shellSchema = {
  type: 'object',
  properties: { command: { type: 'string', description: 'Exact command' } },
  required: ['command'],
};
export const readSchema = {
  type: 'object',
  properties: { file_path: { type: 'string' }, offset: { type: 'number' } },
  required: ['file_path'],
};
export const shellCommand = { command: 'ls' };
export const readArguments = { file_path: '/repo/a.ts' };

/** The start of a session. */
export const opening: readonly Json[] = [
  { role: 'user', parts: [{ text: context }] },
  { role: 'model', parts: [{ text: gotIt }] },
  { role: 'user', parts: [{ text: task }] },
];

/**
 * A request of a coding agent of the Gemini CLI kind, as of 2026: https://github.com/google-gemini/gemini-cli. As its
 * SDK takes it.
 */
export const geminiRequest = (contents: readonly Json[]): Json => ({
  model,
  contents,
  systemInstruction: { role: 'user', parts: [{ text: instruction }] },
  tools: [
    {
      functionDeclarations: [
        { name: 'run_shell_command', description: 'Runs a command.', parametersJsonSchema: shellSchema },
        { name: 'read_file', description: 'Reads a file.', parametersJsonSchema: readSchema },
      ],
    },
  ],
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
  },
});

type Part = Readonly<Record<string, unknown>> & {
  readonly functionCall?: { readonly id?: string; readonly name?: string };
};
type Content = Json & { readonly parts?: readonly Part[] };

/** The agent writes the name before each id, and also before a missing one. */
const renameCall = (part: Part): Part => {
  const { functionCall: call } = part;
  return call?.id === undefined ? part : { ...part, functionCall: { ...call, id: `${call.name}__${call.id}` } };
};
const NO_SIGNATURE = 'skip_thought_signature_validator';

/**
 * What it makes of an answer: a content for each chunk, thoughts left out, ids with their function's name in front.
 * Where the first call of the turn came without a signature, it puts the vendor's stand-in there.
 */
export const replay = (chunks: readonly Content[]): readonly Json[] => {
  const contents = chunks
    .map(({ parts = [], ...content }) => ({
      ...content,
      parts: parts.filter(({ thought }) => thought !== true).map(renameCall),
    }))
    .filter(({ parts }) => parts.length > 0);
  let called = false;
  return contents.map(({ parts, ...content }) => ({
    ...content,
    parts: parts.map((part) => {
      const first = part.functionCall !== undefined && !called;
      called ||= part.functionCall !== undefined;
      return first ? { thoughtSignature: NO_SIGNATURE, ...part } : part;
    }),
  }));
};

/** The results of the calls, under the ids that the agent made. */
export const resultsOf = (history: readonly Json[]): Json => {
  const calls = history.flatMap(({ parts }) =>
    (parts as readonly Part[]).flatMap(({ functionCall }) => functionCall ?? []),
  );
  const results: Readonly<Record<string, Json>> = {
    run_shell_command: { output: 'a.ts' },
    read_file: { error: 'File not found.' },
  };
  return {
    role: 'user',
    parts: calls.map(({ id, name = '' }, index) => ({
      functionResponse: { id: id ?? `synth_${index}`, name, response: results[name] },
    })),
  };
};
