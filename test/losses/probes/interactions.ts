import { PDF, PIXEL, schema, type Probe } from '../probe.ts';

const text = { type: 'text', text: 'Look.' };
const user = { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] };
const tools = [{ type: 'function', name: 'f', description: 'd', parameters: schema }];
const say = (...content: readonly object[]) => ({ input: [{ type: 'user_input', content }] });
/** Beside the cap that the smallest request has. */
const config = (members: object) => ({ generation_config: { max_output_tokens: 16_000, ...members } });
const choose = (choice: unknown) => ({ tools, ...config({ tool_choice: choice }) });
const answer = (members: object) => ({
  tools,
  input: [
    user,
    { type: 'function_call', id: 'c1', name: 'f', arguments: { city: 'Paris' } },
    { type: 'function_result', call_id: 'c1', name: 'f', ...members },
  ],
});

/** https://ai.google.dev/api/interactions-api */
export const interactionsProbes: readonly Probe[] = [
  { feature: '`system_instruction`', body: { system_instruction: 's' } },
  { feature: 'content without a step', body: { input: [text] } },
  { feature: 'image, bytes', body: say(text, { type: 'image', mime_type: 'image/png', data: PIXEL }) },
  { feature: 'image, URL', body: say(text, { type: 'image', uri: 'https://example.com/a.png' }) },
  {
    feature: 'image `resolution`',
    body: say(text, { type: 'image', mime_type: 'image/png', data: PIXEL, resolution: 'medium' }),
  },
  { feature: 'PDF, bytes', body: say(text, { type: 'document', mime_type: 'application/pdf', data: PDF }) },
  { feature: 'audio input', body: say(text, { type: 'audio', mime_type: 'audio/wav', data: 'UklGRiQAAABXQVZF' }) },
  { feature: 'video input', body: say(text, { type: 'video', mime_type: 'video/mp4', data: 'AAAAGGZ0eXA=' }) },
  {
    feature: 'uploaded file',
    body: say(text, { type: 'document', uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' }),
  },
  { feature: 'functions', body: { tools } },
  { feature: 'web search', body: { tools: [{ type: 'google_search' }] } },
  { feature: 'tool of Google', body: { tools: [{ type: 'code_execution' }] } },
  { feature: '`tool_choice: any`', body: choose('any') },
  { feature: '`tool_choice: none`', body: choose('none') },
  { feature: '`tool_choice: validated`', body: choose('validated') },
  { feature: '`allowed_tools`', body: choose({ allowed_tools: { mode: 'any', tools: ['f'] } }) },
  { feature: 'call and result', body: answer({ result: '18' }) },
  { feature: 'result that failed', body: answer({ result: 'ENOENT', is_error: true }) },
  {
    feature: 'result with an image',
    body: answer({ result: [text, { type: 'image', mime_type: 'image/png', data: PIXEL }] }),
  },
  {
    feature: 'thought of a vendor in the history',
    body: {
      input: [
        user,
        { type: 'thought', signature: 'SIG', summary: [{ type: 'text', text: 't' }] },
        { type: 'model_output', content: [{ type: 'text', text: 'a' }] },
        user,
      ],
    },
  },
  {
    feature: 'search that ran at Google in the history',
    body: {
      input: [
        user,
        { type: 'google_search_call', id: 's1', arguments: { queries: ['a'] } },
        { type: 'google_search_result', call_id: 's1', result: [] },
        { type: 'model_output', content: [{ type: 'text', text: 'a' }] },
        user,
      ],
    },
  },
  { feature: 'no output cap', body: { generation_config: undefined } },
  { feature: '`temperature`', body: config({ temperature: 0.5 }) },
  { feature: '`temperature` above 1', body: config({ temperature: 1.7 }) },
  { feature: '`top_p`', body: config({ top_p: 0.9 }) },
  { feature: '`seed`', body: config({ seed: 1 }) },
  { feature: '`stop_sequences`', body: config({ stop_sequences: ['END'] }) },
  { feature: '`thinking_level`', body: config({ thinking_level: 'low' }) },
  { feature: '`thinking_summaries`', body: config({ thinking_summaries: 'auto' }) },
  { feature: '`image_config`', body: config({ image_config: { aspect_ratio: '1:1' } }) },
  { feature: '`speech_config`', body: config({ speech_config: [{ voice: 'kore' }] }) },
  { feature: 'JSON', body: { response_format: { type: 'text', mime_type: 'application/json' } } },
  { feature: 'JSON schema', body: { response_format: { type: 'text', mime_type: 'application/json', schema } } },
  { feature: 'format of images', body: { response_format: [{ type: 'image', aspect_ratio: '1:1' }] } },
  { feature: '`response_modalities`', body: { response_modalities: ['text', 'image'] } },
  { feature: '`safety_settings`', body: { safety_settings: [{ type: 'harassment', threshold: 'block_none' }] } },
  { feature: '`service_tier`', body: { service_tier: 'flex' } },
  { feature: '`store`', body: { store: true } },
  { feature: '`background`', body: { background: true } },
  { feature: '`previous_interaction_id`, not kept', body: { previous_interaction_id: 'v1_1' } },
  { feature: '`cached_content`', body: { cached_content: 'cachedContents/1' } },
  { feature: '`webhook_config`', body: { webhook_config: { uris: ['https://example.com/hook'] } } },
  { feature: '`labels`', body: { labels: { a: 'b' } } },
];
