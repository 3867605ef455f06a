import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai';
import OpenAI from 'openai';
import type { Json, Wire } from '../../matrix/wires.ts';
import { KEY } from '../../support/gateway.ts';

/** What a client can see of a search. */
export interface SeenSearch {
  readonly text: string;
  readonly queries: readonly string[];
  /** The URLs of results. */
  readonly found: readonly string[];
  /** The URLs that the text cites. */
  readonly cited: readonly string[];
}
export interface SearchClient {
  /** The request asks for a search with these members of the tool. */
  ask(url: string, model: string, streamed: boolean, tool?: Json): Promise<SeenSearch>;
}

const input = 'How is the weather?';

const readMessage = ({ content }: Anthropic.Message): SeenSearch => ({
  text: content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''),
  queries: content.flatMap((block) =>
    block.type === 'server_tool_use' ? String((block.input as { query?: unknown }).query) : [],
  ),
  found: content.flatMap((block) =>
    block.type === 'web_search_tool_result' && Array.isArray(block.content) ? block.content.map(({ url }) => url) : [],
  ),
  cited: content.flatMap((block) =>
    block.type === 'text'
      ? (block.citations ?? []).flatMap((citation) => ('url' in citation ? (citation.url ?? []) : []))
      : [],
  ),
});

const readResponse = ({ output }: OpenAI.Responses.Response): SeenSearch => {
  const actions = output.flatMap((item) =>
    item.type === 'web_search_call' && item.action.type === 'search' ? item.action : [],
  );
  const texts = output.flatMap((item) =>
    item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? part : [])) : [],
  );
  return {
    text: texts.map(({ text }) => text).join(''),
    queries: actions.flatMap(({ queries }) => queries ?? []),
    found: actions.flatMap(({ sources = [] }) => sources.map(({ url }) => url)),
    cited: texts.flatMap(({ annotations }) =>
      annotations.flatMap((one) => (one.type === 'url_citation' ? one.url : [])),
    ),
  };
};

const readCandidates = (chunks: readonly GenerateContentResponse[]): SeenSearch => {
  const grounding = chunks.flatMap(({ candidates }) => candidates?.[0]?.groundingMetadata ?? []);
  const found = grounding.flatMap(({ groundingChunks = [] }) => groundingChunks.flatMap(({ web }) => web?.uri ?? []));
  return {
    text: chunks.map(({ text = '' }) => text).join(''),
    queries: grounding.flatMap(({ webSearchQueries = [] }) => webSearchQueries),
    found,
    cited: grounding.some(({ groundingSupports = [] }) => groundingSupports.length > 0) ? found : [],
  };
};

export const searchClients: Readonly<Record<Wire, SearchClient>> = {
  messages: {
    ask: async (url, model, streamed, tool = {}) => {
      const client = new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0 });
      const request: Anthropic.MessageCreateParamsNonStreaming = {
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content: input }],
        tools: [{ type: 'web_search_20250305', name: 'web_search', ...tool }],
      };
      return readMessage(
        streamed ? await client.messages.stream(request).finalMessage() : await client.messages.create(request),
      );
    },
  },
  responses: {
    ask: async (url, model, streamed, tool = {}) => {
      const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
      const request = { model, input, tools: [{ type: 'web_search' as const, ...tool }] };
      return readResponse(
        streamed
          ? await client.responses.stream(request).finalResponse()
          : await client.responses.create({ ...request, stream: false }),
      );
    },
  },
  google: {
    ask: async (url, model, streamed, tool = {}) => {
      const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url } });
      const request = { model, contents: input, config: { tools: [{ googleSearch: tool }] } };
      if (!streamed) return readCandidates([await client.models.generateContent(request)]);
      return readCandidates(await Array.fromAsync(await client.models.generateContentStream(request)));
    },
  },
  chat: {
    ask: async (url, model, streamed, tool = {}) => {
      const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
      const request = { model, messages: [{ role: 'user' as const, content: input }], web_search_options: tool };
      const completion = streamed
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request);
      const { content, annotations = [] } = completion.choices[0]?.message ?? {};
      // This wire shows sources only where the text cites them.
      return { text: content ?? '', queries: [], found: [], cited: annotations.map((one) => one.url_citation.url) };
    },
  },
};
