/** The generator reads answers as they come, in pieces or whole, and does not let a wrong one pass. */
import { expect, test } from '@jest/globals';
import { allowedIn, readAnswer, uidIn } from './answer.ts';
import { createLane, faultOf } from './lane.ts';
import { templates, uidOf, writeUid } from './templates.ts';

const BODY = JSON.stringify({ response: { uid: uidOf(7), allowed: true } });
const WHOLE = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

test('a body of given length, once all of it is there', () => {
  for (let length = 0; length < WHOLE.length; length += 1) expect(readAnswer(WHOLE.slice(0, length))).toBeUndefined();
  expect(readAnswer(WHOLE)).toEqual({ status: 200, body: BODY });
  expect(readAnswer(WHOLE.replace('Content-Length', 'content-length'))).toEqual({ status: 200, body: BODY });
});

test('a body in chunks', () => {
  const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n`;
  expect(readAnswer(chunked)).toBeUndefined();
  const answer = readAnswer(`${chunked}0\r\n\r\n`);
  expect(answer && [uidIn(answer), allowedIn(answer)]).toEqual([uidOf(7), true]);
});

test('an answer without a length is refused', () => {
  expect(() => readAnswer('HTTP/1.1 200 OK\r\nX: y\r\n\r\n')).toThrow('unknown length');
});

test('each request has a uid of its own, and nothing else in it changes', () => {
  const [template] = templates();
  if (template === undefined) throw new Error('there is none');
  const before = template.bytes.toString();
  writeUid(template, 0xabcdef);
  const after = template.bytes.toString();
  expect(after.slice(template.uidAt, template.uidAt + 36)).toBe(uidOf(0xabcdef));
  expect(after.replace(uidOf(0xabcdef), uidOf(0))).toBe(before);
});

test('the wrong status, uid or verdict is a fault', () => {
  const denied = templates().find(({ allowed }) => !allowed);
  const lane = { ...createLane(0), template: denied, count: 7 };
  const answer = { status: 200, body: BODY };
  expect(faultOf('verdict', lane, answer)).toContain('was answered');
  expect(faultOf('uid', lane, answer)).toBeUndefined();
  expect(faultOf('uid', { ...lane, count: 8 }, answer)).toContain('another uid');
  expect(faultOf('status', lane, { ...answer, status: 503 })).toContain('503');
  expect(faultOf('status', { ...lane, count: 8 }, answer)).toBeUndefined();
});
