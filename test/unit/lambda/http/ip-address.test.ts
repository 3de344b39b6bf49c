import { describe, expect, it } from '@jest/globals';
import { clientAddress } from '../../../../lambda/http/ip-address.ts';

describe('an address is counted', () => {
  it.each([
    ['IPv4 as it is', '198.51.100.10', '198.51.100.10'],
    ['IPv6 by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['in capitals as in small letters', '2001:DB8:AB:CD::1', '2001:db8:ab:cd::/64'],
    ['with zeros before numbers as without', '2001:0db8:0001:0002:0000:0000:0000:0006', '2001:db8:1:2::/64'],
    ['with zeros left out in the network', '2001:db8::1', '2001:db8:0:0::/64'],
    ['with zeros left out after the network', '2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['with zeros left out in front', '::1', '0:0:0:0::/64'],
    ['without a number', '::', '0:0:0:0::/64'],
    ['without its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['as IPv4 where that is what it holds', '::ffff:198.51.100.10', '198.51.100.10'],
    ['as IPv4 where that is written in hexadecimal', '::FFFF:C633:640A', '198.51.100.10'],
    ['as IPv4 where that is written in full', '0:0:0:0:0:ffff:c633:640a', '198.51.100.10'],
    ['as IPv6 where something stands before the mark of IPv4', '1::ffff:198.51.100.10', '1:0:0:0::/64'],
    ['as IPv6 where the mark is another', '::fffe:198.51.100.10', '0:0:0:0::/64'],
    ['with a number in every place', '1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['as IPv6 where only the end looks like IPv4', '64:ff9b::198.51.100.10', '64:ff9b:0:0::/64'],
  ])('%s', (_name, address, counted) => {
    expect(clientAddress(address)?.address).toBe(counted);
  });

  it.each([
    '',
    ' ',
    'unknown',
    'localhost',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4/32',
    '1.2.3.4:80',
    ' 1.2.3.4',
    '0x7f000001',
    '2130706433',
    '2001:db8',
    '2001:db8::1::2',
    '2001:db8::12345',
    '[2001:db8::1]',
    '1.2.3.4, 5.6.7.8',
    '１.2.3.4',
  ])('not when it is no address: "%s"', (text) => {
    expect(clientAddress(text)).toBeUndefined();
  });
});

describe('the network around an address', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['198.51.100.10', undefined],
    ['::ffff:198.51.100.10', undefined],
  ])('of %s is %s', (address, network) => {
    expect(clientAddress(address)?.network).toBe(network);
  });
});
