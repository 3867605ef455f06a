import { expect } from 'chai';
import { weighBody, weighText } from '../../../../core/canonical/text/text-weight.ts';

/**
 * One sentence in many scripts, with its tokens for GPT-4o and GPT-4 (o200k_base and cl100k_base, counted with
 * gpt-tokenizer 3).
 */
const sentences: Readonly<Record<string, readonly [text: string, newer: number, older: number]>> = {
  English: [
    'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. Everyone is entitled to all the rights and freedoms set forth in this Declaration, without distinction of any kind.',
    54,
    54,
  ],
  German: [
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser Erklärung verkündeten Rechte und Freiheiten ohne irgendeinen Unterschied.',
    59,
    73,
  ],
  Russian: [
    'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией.',
    66,
    120,
  ],
  Arabic: [
    'يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً وعليهم أن يعامل بعضهم بعضاً بروح الإخاء. لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان.',
    60,
    131,
  ],
  Hindi: [
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
    54,
    180,
  ],
  Thai: [
    'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
    63,
    135,
  ],
  Chinese: [
    '人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。人人有资格享有本宣言所载的一切权利和自由,不分种族、肤色、性别、语言、宗教、政治或其他见解。',
    76,
    102,
  ],
  Japanese: [
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
    72,
    93,
  ],
  Korean: [
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
    51,
    85,
  ],
  emoji: ['😀😎🚀🔥👍🏽❤️🎉😂🤖🧠', 18, 30],
};

const bytesOf = (text: string): Buffer => Buffer.from(text);
const escape = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** The middle of a long text, so that the quotes around it do not count. */
const isNear = (one: number, other: number, share: number): boolean => Math.abs(one - other) <= share * other;

describe('the weight of a text', () => {
  for (const [language, [text, newer, older]] of Object.entries(sentences)) {
    it(`weighs a text between 75 % of the fewest and 200 % of the most tokens of tokenizers for ${language}`, () => {
      const tokens = weighText(text) / 4;
      expect(tokens)
        .to.be.at.least(0.75 * Math.min(newer, older))
        .and.at.most(2 * Math.max(newer, older));
      // What is written with few tokens is not taken for much more than the dearer tokenizer makes of it.
      expect(tokens).to.be.at.most(1.35 * older);
    });

    it(`weighs a text the same in a body, escaped or not: ${language}`, () => {
      const weight = weighText(text);
      expect(isNear(weighBody(bytesOf(JSON.stringify(text))) - 2, weight, 0.05)).to.equal(true);
      expect(isNear(weighBody(bytesOf(escape(text))) - 2, weight, 0.05)).to.equal(true);
    });
  }

  it('weighs an ASCII body by its length, including structure and white space', () => {
    const body = bytesOf(
      JSON.stringify({ model: 'x', messages: [{ role: 'user', content: 'a\n"b"\\' }] }, undefined, 2),
    );
    expect(weighBody(body)).to.equal(body.byteLength);
    expect(weighBody(new Uint8Array())).to.equal(0);
  });

  it('does not mistake an escaped backslash before a u for an escape', () => {
    expect(weighBody(bytesOf('"\\\\u4e2d"'))).to.equal('"\\\\u4e2d"'.length);
    expect(weighBody(bytesOf('"\\u4e2d"'))).to.equal(2 + 4);
    expect(weighBody(bytesOf('"\\u0041\\u00e9"'))).to.equal(2 + 1 + 1);
    expect(weighBody(bytesOf('"\\u'))).to.be.finite;
  });

  it('estimates the weight of a long body from samples, mixed or not', () => {
    const russian = sentences['Russian']?.[0] ?? '';
    const chinese = sentences['Chinese']?.[0] ?? '';
    for (const text of [chinese, russian + chinese]) {
      const body = bytesOf(JSON.stringify(text.repeat(8_000)));
      expect(isNear(weighBody(body), weighText(text) * 8_000, 0.02), String(body.byteLength)).to.equal(true);
    }
  });
});
