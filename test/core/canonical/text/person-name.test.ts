import { expect } from 'chai';
import { readPersonName } from '../../../../core/canonical/text/person-name.ts';

describe('the name of a person', () => {
  for (const [given, shown] of [
    ['dora@acme.example', 'dora@acme.example'],
    [' Dora  Ärmel ', 'Dora Ärmel'],
    ['Dora\u00a0Ärmel', 'Dora Ärmel'],
    ['ｄｏｒａ@acme.example', 'dora@acme.example'],
    ["Seán O'Brien-Łukasz (R&D)", "Seán O'Brien-Łukasz (R&D)"],
    ['Nguyễn Thị Hằng', 'Nguyễn Thị Hằng'],
    ['Юлия Щукина', 'Юлия Щукина'],
    ['Ελένη Παπαδοπούλου', 'Ελένη Παπαδοπούλου'],
    ['Արմեն', 'Արմեն'],
    ['山田 花子', '山田 花子'],
    ['サトー', 'サトー'],
    ['김민준', '김민준'],
    ['محمد علي', 'محمد علي'],
    ['प्रिया शर्मा', 'प्रिया शर्मा'],
    ['สมชาย', 'สมชาย'],
    ['007', '007'],
    ['tokenia@acme.example', 'tokenia@acme.example'],
    ['cli@acme.example', 'cli@acme.example'],
  ] as const)
    it(`${JSON.stringify(given)} is shown as ${JSON.stringify(shown)}`, () =>
      expect(readPersonName(given)).to.equal(shown));

  for (const given of [
    'token',
    'token ',
    ' Token',
    'TOKEN',
    'ｔｏｋｅｎ',
    't0ken',
    'tóken',
    't-o-k-e-n',
    'to ken',
    'toke\u0301n',
    'tok\u200ben',
    'tok\u00aden',
    'tоken', // Cyrillic o
    'toĸen',
    'loopback',
    'Ioopback',
    '1oopback',
    'scim',
    'cli:root',
    ' cli:root',
    'CLI:root',
    'cli：root',
    'cli∶root',
    'cliːroot',
    'cli׃root',
    'сӏі:root',
    'sub:d2',
    'ｓｕｂ:d2',
    'bоss@acme.example', // Cyrillic o
    'bοss@acme.example', // Greek o
    'boss@асме.example',
    'асе', // all Cyrillic
    'сосо',
    'νιχ', // all Greek
    'boѕs',
    'b\u0332oss',
    'boss\u202e',
    'boss\u2066@acme.example',
    'bo\ufeffss',
    'boss\nadmin',
    'boss\u0000',
    'ᏴᎾᏚᏚ',
    'ꓐꓳꓢꓢ',
    '𝐭𝐨𝐤𝐞𝐧',
    'ⓣⓞⓚⓔⓝ',
    '٠٠٧',
    '',
    ' ',
    '@',
    'd'.repeat(129),
    'ﷺ'.repeat(200),
    7,
    null,
    { toString: 'x' },
  ])
    it(`${JSON.stringify(given).slice(0, 40)} is not used as a name`, () =>
      expect(readPersonName(given)).to.equal(undefined));
});
