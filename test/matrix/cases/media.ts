import { goodDay, stopped, type MatrixCase } from '../matrix-case.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwKPj4KZW5kb2JqCg==';

const chatImages = [
  { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
];
const messagesImages = [
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
];
const asked = { type: 'text', text: 'What is it?' };

export const images: MatrixCase = {
  name: 'images, as bytes and by address',
  request: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: [asked, ...chatImages] }] },
    messages: { max_tokens: 100, messages: [{ role: 'user', content: [asked, ...messagesImages] }] },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: [asked, ...chatImages] }] },
    messages: { max_tokens: 100, messages: [{ role: 'user', content: [asked, ...messagesImages] }] },
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};

/** Clients write data URIs in many ways; vendors take one. */
export const looseDataUri: MatrixCase = {
  name: 'an image whose data URI is written loosely',
  request: {
    chat: {
      max_completion_tokens: 100,
      messages: [{ role: 'user', content: [asked, { type: 'image_url', image_url: { url: `DATA:image/JPG;charset=utf-8;base64,${png.slice(0, 40)}\n${png.slice(40)}` } }] }],
    },
    messages: {
      max_tokens: 100,
      messages: [{ role: 'user', content: [asked, { type: 'image', source: { type: 'base64', media_type: 'image/jpg', data: `${png.slice(0, 40)}\n${png.slice(40)}` } }] }],
    },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: [asked, { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${png}` } }] }] },
    messages: { max_tokens: 100, messages: [{ role: 'user', content: [asked, { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: png } }] }] },
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};

export const document: MatrixCase = {
  name: 'a document',
  request: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: [asked, { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }] }] },
    messages: {
      max_tokens: 100,
      messages: [{ role: 'user', content: [asked, { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }] }],
    },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: [asked, { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }] }] },
    messages: {
      max_tokens: 100,
      messages: [{ role: 'user', content: [asked, { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }] }],
    },
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};
