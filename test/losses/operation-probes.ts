import { PIXEL, type Probe } from './probe.ts';

/** An operation beside generation: what its clients send, and the targets that their requests reach. */
export interface OperationProbes {
  readonly wire: string;
  readonly path: string;
  /** The smallest request. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Requests are forms with a recording. */
  readonly isForm?: true;
  /** Models by the name of their provider in the scene. */
  readonly targets: Readonly<Record<string, string>>;
  readonly probes: readonly Probe[];
}

const image_url = `data:image/png;base64,${PIXEL}`;
const documents = ['Paris is in France', 'Rails is a Ruby framework'];

const images: OperationProbes = {
  wire: 'image-generations',
  path: '/v1/images/generations',
  body: { prompt: 'A cat' },
  targets: {
    openai: 'gpt-image-2',
    google: 'gemini-3.1-flash-image',
    imagen: 'imagen-4.0-generate-001',
    bedrock: 'amazon.nova-canvas-v1:0',
    stability: 'stability.stable-image-core-v1:1',
  },
  probes: [
    { feature: 'several images', body: { n: 2 } },
    { feature: '`size`', body: { size: '1536x1024' } },
    { feature: '`size` that is not of every model', body: { size: '1000x1000' } },
    { feature: '`size: auto`', body: { size: 'auto' } },
    { feature: '`quality: high`', body: { quality: 'high' } },
    { feature: '`quality: standard`', body: { quality: 'standard' } },
    { feature: '`output_format: png`', body: { output_format: 'png' } },
    { feature: '`output_format: jpeg`', body: { output_format: 'jpeg' } },
    { feature: '`output_format: webp`', body: { output_format: 'webp' } },
    { feature: '`output_compression`', body: { output_compression: 80 } },
    { feature: '`background`', body: { background: 'transparent' } },
    { feature: '`moderation`', body: { moderation: 'low' } },
    { feature: 'addresses', body: { response_format: 'url' } },
    { feature: '`style`', body: { style: 'vivid' } },
    { feature: '`user`', body: { user: 'u' } },
  ],
};

const edits: OperationProbes = {
  wire: 'image-edits',
  path: '/v1/images/edits',
  body: { prompt: 'Green', images: [{ image_url }] },
  targets: images.targets,
  probes: [
    { feature: 'an image', body: {} },
    { feature: 'several images', body: { images: [{ image_url }, { image_url }] } },
    { feature: '`mask`', body: { mask: { image_url } } },
    { feature: '`input_fidelity`', body: { input_fidelity: 'high' } },
  ],
};

const transcriptions: OperationProbes = {
  wire: 'transcriptions',
  path: '/v1/audio/transcriptions',
  body: {},
  isForm: true,
  targets: {
    openai: 'whisper-1',
    groq: 'whisper-large-v3',
    mistral: 'voxtral-mini-latest',
    google: 'gemini-2.5-flash',
  },
  probes: [
    { feature: 'a recording', body: {} },
    { feature: '`language`', body: { language: 'en' } },
    { feature: '`prompt`', body: { prompt: 'Names: Ruby' } },
    { feature: '`temperature`', body: { temperature: '0' } },
    { feature: 'a text', body: { response_format: 'text' } },
    { feature: 'subtitles', body: { response_format: 'srt' } },
    { feature: 'times of words', body: { 'response_format': 'verbose_json', 'timestamp_granularities[]': 'word' } },
    { feature: 'speakers', body: { response_format: 'diarized_json', chunking_strategy: 'auto' } },
  ],
};

const translations: OperationProbes = {
  ...transcriptions,
  wire: 'translations',
  path: '/v1/audio/translations',
  targets: { openai: 'whisper-1', groq: 'whisper-large-v3', google: 'gemini-2.5-flash' },
  probes: [
    { feature: 'a recording', body: {} },
    { feature: '`prompt`', body: { prompt: 'Names: Ruby' } },
    { feature: '`temperature`', body: { temperature: '0' } },
    { feature: 'subtitles', body: { response_format: 'srt' } },
  ],
};

const speech: OperationProbes = {
  wire: 'speech',
  path: '/v1/audio/speech',
  body: { input: 'Good morning', voice: 'Kore' },
  targets: { openai: 'gpt-4o-mini-tts', google: 'gemini-2.5-flash-preview-tts' },
  probes: [
    { feature: 'no format', body: {} },
    { feature: 'WAV', body: { response_format: 'wav' } },
    { feature: 'samples', body: { response_format: 'pcm' } },
    { feature: 'MP3', body: { response_format: 'mp3' } },
    { feature: 'a voice of another vendor', body: { voice: 'alloy' } },
    { feature: '`instructions`', body: { instructions: 'Whisper' } },
    { feature: '`speed`', body: { speed: 1.5 } },
  ],
};

const cohereRerank: OperationProbes = {
  wire: 'cohere-rerank',
  path: '/v2/rerank',
  body: { query: 'ruby', documents },
  targets: {
    cohere: 'rerank-v3.5',
    azure: 'Cohere-rerank-v4.0-pro',
    bedrock: 'cohere.rerank-v3-5:0',
    jina: 'jina-reranker-v2',
    voyage: 'rerank-2-lite',
  },
  probes: [
    { feature: 'texts', body: {} },
    { feature: '`top_n`', body: { top_n: 1 } },
    { feature: '`max_tokens_per_doc`', body: { max_tokens_per_doc: 512 } },
  ],
};

const rerank: OperationProbes = {
  ...cohereRerank,
  wire: 'rerank',
  path: '/v1/rerank',
  probes: [
    { feature: 'texts', body: {} },
    { feature: 'objects with a text', body: { documents: documents.map((text) => ({ text })) } },
    { feature: 'an image', body: { documents: ['a', { image: 'https://example.com/a.png' }] } },
    { feature: '`top_n`', body: { top_n: 1 } },
    { feature: '`return_documents`', body: { return_documents: true } },
    { feature: '`truncation`', body: { truncation: true } },
  ],
};

/** In the order of the page. */
export const operationProbes: readonly OperationProbes[] = [
  images,
  edits,
  transcriptions,
  translations,
  speech,
  cohereRerank,
  rerank,
];
