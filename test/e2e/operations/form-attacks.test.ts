import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { writeWav } from './audio.ts';

const PATH = '/v1/audio/transcriptions';
const wav = writeWav(0.5).toString('latin1');
const disposition = (name: string, rest = ''): string => `content-disposition: form-data; name="${name}"${rest}`;
const part = (head: string, body: string, boundary = 'b'): string => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`;
const file = part(disposition('file', '; filename="a.wav"'), wav);
const model = part(disposition('model'), 'simulator/chat');
const END = '--b--\r\n';
const good = file + model + END;
const form = 'multipart/form-data; boundary=b';

interface Attack {
  readonly name: string;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  /** Default: 400. */
  readonly status?: number;
}

const bad = (name: string, head: string, body = 'x'): Attack => ({ name, body: file + model + part(head, body) + END });
const badType = (name: string, type: string, status = 400): Attack => ({ name, body: good, type, status });

const attacks: readonly Attack[] = [
  badType('no boundary', 'multipart/form-data'),
  badType('an empty boundary', 'multipart/form-data; boundary='),
  badType('a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(71)}`),
  badType('a boundary with a line break', 'multipart/form-data; boundary="b\tb"'),
  badType('two boundaries', 'multipart/form-data; boundary=b; boundary=c'),
  badType('another multipart', 'multipart/mixed; boundary=b', 415),
  badType('JSON', 'application/json', 415),
  badType('text', 'text/plain', 415),
  badType('a type that only begins like a form', 'multipart/form-data-x; boundary=b'),
  { name: 'compressed', body: good, headers: { 'content-encoding': 'gzip' }, status: 415 },
  badType('a boundary that is not in the body', 'multipart/form-data; boundary=other'),
  { name: 'an empty body', body: '' },
  { name: 'no part', body: END },
  { name: 'no last boundary', body: file + model },
  { name: 'an end within the headers', body: `${file}--b\r\ncontent-disposition: form-da` },
  { name: 'an end within a file', body: `${model}--b\r\n${disposition('file', '; filename="a.wav"')}\r\n\r\n${wav}` },
  bad('no disposition', 'content-type: text/plain'),
  bad('a disposition without a name', 'content-disposition: form-data'),
  bad('an empty name', disposition('')),
  bad('an attachment', 'content-disposition: attachment; name="x"'),
  bad('a name that is too long', disposition('x'.repeat(200))),
  bad('a name with a null byte', disposition('x\0y')),
  bad('a name with a path', disposition('../x')),
  bad('two names', 'content-disposition: form-data; name="x"; name="model"'),
  bad('two dispositions', `${disposition('x')}\r\n${disposition('model')}`),
  bad('an encoded name', "content-disposition: form-data; name*=UTF-8''model"),
  bad('the prototype as a name', disposition('__proto__')),
  bad('an encoded file name', `${disposition('x')}; filename*=UTF-8''a.wav`),
  bad('a nested multipart', `${disposition('x')}\r\ncontent-type: multipart/mixed; boundary=c`),
  bad('base64', `${disposition('x')}\r\ncontent-transfer-encoding: base64`),
  bad('an unknown header', `${disposition('x')}\r\nx-model: other`),
  bad('a flood of headers', `${disposition('x')}\r\n${'content-type: text/plain\r\n'.repeat(500)}a: b`),
  bad('a long header', `${disposition('x')}\r\ncontent-type: ${'a'.repeat(20_000)}`),
  bad('a second model', disposition('model'), 'other'),
  bad('a second file', disposition('file', '; filename="b.wav"'), wav),
  bad('a model in other letters', disposition('Model'), 'other'),
  bad('a file in an unknown field', disposition('x', '; filename="b.wav"'), wav),
  bad('a text that is too long', disposition('x'), 'x'.repeat(70_000)),
  { name: 'too many parts', body: file + model + part(disposition('x[]'), 'x').repeat(70) + END },
  { name: 'a file without a name', body: model + part(disposition('file'), wav) + END },
  { name: 'a model that is a file', body: file + part(disposition('model', '; filename="m"'), 'simulator/chat') + END },
  { name: 'an empty file', body: model + part(disposition('file', '; filename="a.wav"'), '') + END },
  { name: 'a program', body: model + part(disposition('file', '; filename="a.wav"'), `MZ${'x'.repeat(90)}`) + END },
  {
    name: 'a file name with a line break',
    body: model + part(disposition('file', '; filename="a\nb.wav"'), wav) + END,
  },
  {
    name: 'a body that is too large',
    body: part(disposition('file', '; filename="a.wav"'), writeWav(4).toString('latin1')) + model + END,
    status: 413,
  },
];

describe('attacks with forms', () => {
  // A folder for the files of these uploads alone: other tests upload at the same time.
  const temporary = createTemporaryFolder();
  const { TMPDIR } = process.env;
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
      routes: [{ path: PATH, wire: 'transcriptions', operation: 'transcribe', bodyLimit: '90kb' }],
    });
    process.env['TMPDIR'] = temporary.path;
  });
  after(async () => {
    await gateway.stop();
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    temporary.remove();
  });

  const send = async ({ body, type = form, headers = {} }: Omit<Attack, 'name'>) => {
    const call = request(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': type, ...headers },
    });
    call.on('error', () => {});
    call.end(Buffer.from(body, 'latin1'));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
  };
  const left = (): readonly string[] => readdirSync(temporary.path);

  it('there are at least 33', () => expect(attacks.length).to.be.at.least(33));

  for (const { name, status = 400, ...attack } of attacks)
    it(`refuses ${name}, and serves the next client`, async () => {
      const reply = await send(attack);
      expect(reply.status, reply.text).to.be.oneOf(name === 'a text that is too long' ? [413] : [status]);
      expect(JSON.parse(reply.text)).to.have.nested.property('error.message').that.is.a('string');
      expect(left()).to.deep.equal([]);
      expect((await send({ body: good })).status).to.equal(200);
    });
});
