import type { MatrixCase } from '../matrix-case.ts';
import { bodyOf, goodDay, stateless } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwKPj4KZW5kb2JqCg==';
const cat = 'https://example.com/cat.png';
const text = 'What is it?';

/** A question followed by its media, as a body of each wire. */
const chat = (...parts: readonly Json[]): Json =>
  bodyOf('chat', [{ role: 'user', content: [{ type: 'text', text }, ...parts] }]);
const messages = (...parts: readonly Json[]): Json =>
  bodyOf('messages', [{ role: 'user', content: [{ type: 'text', text }, ...parts] }]);
const responses = (...parts: readonly Json[]): Json =>
  bodyOf('responses', [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }, ...parts] }]);
const google = (...parts: readonly Json[]): Json => bodyOf('google', [{ role: 'user', parts: [{ text }, ...parts] }]);

const images = {
  chat: chat(
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    { type: 'image_url', image_url: { url: cat } },
  ),
  messages: messages(
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    { type: 'image', source: { type: 'url', url: cat } },
  ),
  responses: responses(
    { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
    { type: 'input_image', image_url: cat, detail: 'auto' },
  ),
  google: google(
    { inlineData: { mimeType: 'image/png', data: png } },
    { fileData: { mimeType: 'image/png', fileUri: cat } },
  ),
};

export const bytesAndAddresses: MatrixCase = {
  name: 'images as bytes and by URL',
  models: { google: 'gemini-3-pro-preview' },
  request: images,
  received: {
    ...images,
    responses: { ...images.responses, ...stateless },
    // The other wires do not have the media type of a URL.
    google: google({ inlineData: { mimeType: 'image/png', data: png } }, { fileData: { fileUri: cat } }),
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: 'stop' },
};

const broken = `${png.slice(0, 40)}\n${png.slice(40)}`;
const looseUri = `DATA:image/JPG;charset=utf-8;base64,${broken}`;

/** Clients write data URIs in many ways; vendors accept one. */
export const looseDataUri: MatrixCase = {
  name: 'an image with a non-standard data URI (E53)',
  request: {
    chat: chat({ type: 'image_url', image_url: { url: looseUri } }),
    messages: messages({ type: 'image', source: { type: 'base64', media_type: 'image/jpg', data: broken } }),
    responses: responses({ type: 'input_image', image_url: looseUri }),
    google: google({ inlineData: { mimeType: 'image/jpg', data: broken } }),
  },
  received: {
    chat: chat({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${png}` } }),
    messages: messages({ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: png } }),
    responses: {
      ...responses({ type: 'input_image', image_url: `data:image/jpeg;base64,${png}`, detail: 'auto' }),
      ...stateless,
    },
    google: google({ inlineData: { mimeType: 'image/jpeg', data: png } }),
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: 'stop' },
};

const documents = {
  chat: chat({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }),
  messages: messages({
    type: 'document',
    title: 'a.pdf',
    source: { type: 'base64', media_type: 'application/pdf', data: pdf },
  }),
  responses: responses({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` }),
  google: google({ inlineData: { mimeType: 'application/pdf', data: pdf } }),
};

export const document: MatrixCase = {
  name: 'a document',
  request: documents,
  received: { ...documents, responses: { ...documents.responses, ...stateless } },
  vendor: goodDay,
  // Google's parts have no names.
  losses: {
    'chat>google': ['messages[0].content[1].file.filename;dropped'],
    'messages>google': ['messages[0].content[1].title;dropped'],
    'responses>google': ['input[0].content[1].filename;dropped'],
  },
  but: {
    'google>chat': { received: chat({ type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}` } }) },
    'google>messages': {
      received: messages({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }),
    },
    'google>responses': {
      received: responses({ type: 'input_file', file_data: `data:application/pdf;base64,${pdf}` }),
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};
