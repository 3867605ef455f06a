import type { ServerResponse } from 'node:http';

const countItems = (text: string): number => {
  try {
    const body = JSON.parse(text) as { readonly input?: unknown; readonly requests?: readonly unknown[] };
    if (body.requests !== undefined) return body.requests.length;
    return Array.isArray(body.input) && typeof body.input[0] !== 'number' ? body.input.length : 1;
  } catch {
    return 1;
  }
};

/** Sends one vector for each input. */
export function answerEmbeddings(response: ServerResponse, path: string, text: string): void {
  const numbers = Array.from({ length: countItems(text) }, () => [0.5, -0.5]);
  const one = { embedding: { values: numbers[0] } };
  const google = path.endsWith(':batchEmbedContents') ? { embeddings: numbers.map((values) => ({ values })) } : one;
  const openai = {
    object: 'list',
    model: 'x',
    data: numbers.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 2, total_tokens: 2 },
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(path.includes('/v1beta/') ? google : openai));
}
