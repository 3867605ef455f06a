/** The four client wires, each with a request that has a prompt in every place for one. */
export const wires = ['chat', 'responses', 'messages', 'google'] as const;
export type Wire = (typeof wires)[number];

export interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const schema = (prompt: string): object => ({
  type: 'object',
  properties: { city: { type: 'string', description: prompt } },
});

/**
 * A request to a model.
 * @param prompt used in the system text, the user text, a tool and the client's metadata
 */
export const requestOf = (wire: Wire, model: string, isStream: boolean, key: string, prompt: string): WireRequest => {
  const json = { 'content-type': 'application/json' };
  const bearer = { ...json, authorization: `Bearer ${key}` };
  if (wire === 'chat') {
    const messages = [
      { role: 'system', content: prompt },
      { role: 'user', content: prompt },
    ];
    const tools = [
      { type: 'function', function: { name: 'weather', description: prompt, parameters: schema(prompt) } },
    ];
    return {
      path: '/v1/chat/completions',
      headers: bearer,
      body: { model, stream: isStream, messages, tools, user: prompt },
    };
  }
  if (wire === 'responses') {
    const tools = [{ type: 'function', name: 'weather', description: prompt, parameters: schema(prompt) }];
    return {
      path: '/v1/responses',
      headers: bearer,
      body: { model, stream: isStream, instructions: prompt, input: prompt, tools, store: false },
    };
  }
  if (wire === 'messages') {
    const tools = [{ name: 'weather', description: prompt, input_schema: schema(prompt) }];
    const body = {
      model,
      stream: isStream,
      max_tokens: 50,
      system: prompt,
      messages: [{ role: 'user', content: prompt }],
      tools,
      metadata: { user_id: prompt },
    };
    return { path: '/v1/messages', headers: { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' }, body };
  }
  const tools = [{ functionDeclarations: [{ name: 'weather', description: prompt, parameters: schema(prompt) }] }];
  const body = {
    systemInstruction: { parts: [{ text: prompt }] },
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    tools,
  };
  const call = isStream ? 'streamGenerateContent?alt=sse&' : 'generateContent?';
  return { path: `/v1beta/models/${model}:${call}key=${encodeURIComponent(key)}`, headers: json, body };
};

/**
 * Invalid bodies, with a prompt and a key at each error.
 * @param name a string that is not a prompt: the name of a model or a role
 */
export const badBodies = (prompt: string, key: string, name: string): readonly string[] => [
  `{"model":"${prompt}","messages":[`,
  JSON.stringify({ model: name, messages: [{ role: 'user', content: prompt }] }),
  JSON.stringify({ model: key, messages: [{ role: 'user', content: prompt }] }),
  JSON.stringify({ model: 'openai-good/m', messages: prompt }),
  JSON.stringify({ model: 'openai-good/m', messages: [{ role: name, content: prompt }] }),
  JSON.stringify({ model: 'openai-good/m', messages: [{ role: 'user', content: { [prompt]: prompt } }] }),
  JSON.stringify({
    model: 'openai-good/m',
    messages: [{ role: 'user', content: prompt }],
    temperature: prompt,
    stream: prompt,
    max_tokens: key,
  }),
  JSON.stringify([prompt, key]),
  prompt,
];
