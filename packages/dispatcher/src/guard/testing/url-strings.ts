import type { UrlFault } from "../url-rules.ts";

/** URLs that must be refused before any name is looked up, by the fault that is told. */
export const REFUSED_URLS: Readonly<Record<UrlFault, readonly string[]>> = {
  url_syntax: [
    ..."http:\\\\127.0.0.1\\ http:/127.0.0.1/ http:127.0.0.1 http:///127.0.0.1/".split(" "),
    ..."//127.0.0.1/ http:// http://? http://[ http://[::1 http://[::1]extra/ X".split(" "),
    ..."http://[1:2:3:4:5:6:7:8:9]/ http://[fe80::1%25eth0]/ http://1.1.1.1.1/".split(" "),
    ..."http://256.256.256.256/ http://4294967296/ http://example.com%00.evil.example/".split(" "),
    ..."http://example.com\\@127.0.0.1/ http://evil.example:80\\@127.0.0.1/".split(" "),
    "",
    "  http://example.com/",
    "http://example.com/ ",
    "http://exa mple.com/",
    "http://example.com/a\tb",
    "http://exam\nple.com/",
    "http://example.com\r\n/",
    "http://example.com/\u0000",
  ],
  url_scheme: [
    ..."file:///secret.txt gopher://127.0.0.1:6379/_INFO ftp://example.com/".split(" "),
    ..."ws://example.com/ data:text/plain,hi javascript:alert(1) jar:http://127.0.0.1!/".split(" "),
    ..."http+unix://%2Fengine.sock/ mailto:a@b.c".split(" "),
  ],
  url_credentials: [
    ..."http://user:pass@example.com/ http://example.com@127.0.0.1/".split(" "),
    ..."http://127.0.0.1@example.com/ http://@example.com/ http://a@b@example.com/".split(" "),
  ],
  url_fragment: [
    ..."http://127.0.0.1#@example.com/ http://example.com#@127.0.0.1/".split(" "),
    ..."https://example.com/# https://example.com/a#b".split(" "),
  ],
  url_too_long: [`https://example.com/${"a".repeat(2029)}`],
  url_host_form: [
    ..."http://127.1/ http://127.0.1/ http://2130706433/ http://0x7f000001/".split(" "),
    ..."http://0x7f.0.0.1/ http://0x7F.1/ http://017700000001/ http://0177.0.0.1/".split(" "),
    ..."http://0177.1/ http://127.000.000.001/ http://127.0.0.1./ http://127.0.0.1.:80/".split(" "),
    ..."http://0/ http://0x0/ http://00000000000/ http://2852039166/ http://0xa9fea9fe/".split(" "),
    ..."http://0251.0376.0251.0376/ http://169.254.43518/ http://4294967295/".split(" "),
    ..."http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://１２７.0.0.1/".split(" "),
    ..."http://%31%32%37.0.0.1/ http://loc%61lhost/ http://ⓛocalhost/ http://127.0.0.1%C2%AD/".split(
      " ",
    ),
    ..."http://127.0.0.1%E2%80%8B/ http://example。com/ http://ℯxample.com/".split(" "),
    ..."http://1.2.3/ http://example..com/ http://-example.com/ http://example.com./".split(" "),
    `http://${"a".repeat(64)}.com/`,
    `http://${"abcdefghi.".repeat(30)}example.com/`,
    "http://exam\u00adple.com/",
    "http://exam\u200bple.com/",
    "http://a!b.com/",
  ],
  url_host_reserved: [
    ..."http://127.0.0.1/ http://127.255.255.254/ http://0.0.0.0/ http://0.1.2.3/".split(" "),
    ..."http://[::]/ http://[0:0:0:0:0:0:0:0]/ http://localhost/ http://LOCALHOST/".split(" "),
    ..."http://localhost./ http://foo.localhost/ http://localhost.localdomain/".split(" "),
    ..."http://ip6-localhost/ http://printer.local/ http://corp.lan/ http://a.b.internal/".split(
      " ",
    ),
    ..."http://metadata.google.internal/ http://x.onion/ http://x.invalid/ http://x.test/".split(
      " ",
    ),
    ..."http://backend/ http://single http://xn--a/ http://[::1]/".split(" "),
    ..."http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/".split(" "),
    ..."http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[::127.0.0.1]/ http://[::7f00:1]/".split(" "),
    ..."http://[::ffff:0:127.0.0.1]/ http://[::5efe:7f00:1]/ http://[64:ff9b::7f00:1]/".split(" "),
    ..."http://[64:ff9b::169.254.169.254]/ http://[64:ff9b::808:808]/".split(" "),
    ..."http://[64:ff9b:1::a9fe:a9fe]/ http://[2002:7f00:1::]/ http://[2002:a9fe:a9fe::1]/".split(
      " ",
    ),
    ..."http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ http://[fe80::1]/ http://[febf::1]/".split(
      " ",
    ),
    ..."http://[fec0::1]/ http://[fc00::1]/ http://[fd12:3456:789a::1]/".split(" "),
    ..."http://[fd00:ec2::254]/ http://[ff02::1]/ http://[100::1]/ http://[2001:db8::1]/".split(
      " ",
    ),
    ..."http://[2001:20::1]/ http://[3fff::1]/ http://[5f00::1]/".split(" "),
    ..."http://169.254.169.254/latest/meta-data/ http://169.254.170.2/v2/credentials".split(" "),
    ..."http://100.100.100.200/ http://192.0.0.192/ http://168.63.129.16/".split(" "),
    ..."http://10.0.0.1/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/".split(" "),
    ..."http://100.64.0.1/ http://100.127.255.255/ http://192.0.2.1/ http://198.18.0.1/".split(" "),
    ..."http://198.51.100.1/ http://203.0.113.1/ http://192.88.99.1/ http://224.0.0.1/".split(" "),
    ..."http://240.0.0.1/ http://255.255.255.255/".split(" "),
  ],
  url_port: [
    ..."http://127.0.0.1:0/ http://example.com:65536/ http://example.com:-1/".split(" "),
    ..."http://example.com:22/ http://example.com:25/ http://example.com:6379/".split(" "),
    ..."http://example.com:08080/ http://example.com:/ http://example.com:8o/".split(" "),
    ..."http://93.184.216.34:5432/ http://[2606:4700:4700::1111]:27017/".split(" "),
    "http://unix:/engine.sock:/info",
  ],
};

/** URLs that must pass, edges of the special ranges among them. */
export const ALLOWED_URLS: readonly string[] = [
  "https://example.com/",
  "https://example.com",
  "http://example.com/hook?a=1&b=%0d%0aX-Injected:%20yes",
  "HTTP://Example.COM/",
  "HTTP://example.com/",
  "https://example.com:3000/",
  "https://example.com:80/",
  "https://a_b.example.com/",
  "https://100.63.255.255/",
  "https://100.128.0.1/",
  "https://172.15.255.255/",
  "https://172.32.0.1/",
  "https://9.255.255.255/",
  "https://11.0.0.1/",
  "https://[2606:4700:4700::1111]/",
  "https://[2001:4860:4860::8888]/",
  "https://[2001:4860:4860:0:0:0:0:8888]:8443/",
  "https://xn--bcher-kva.example.com/",
  "https://bücher.example.com/",
  "http://аpple.com/",
  "https://discord.com/api/webhooks/1/abc",
];

/** Names that public name servers answer with inner addresses: refused once they are resolved. */
export const INNER_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "localtest.me": ["127.0.0.1", "::1"],
  "mixed.example.com": ["8.8.8.8", "10.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "metadata6.example.com": ["fd00:ec2::254"],
  "mapped.example.com": ["::ffff:10.0.0.1"],
};
