/**
 * The causes that are searched for. The first group is proven: with this one fault undone, the signature fits. The
 * second group is only likely. `docs/reference/verification-failures.md` lists all of them and is tested against this.
 */
export const SEARCHED_CAUSES = {
  // Proven by a fit
  body_reprinted:
    "The signature fits the same JSON printed compactly: the body was parsed and re-serialized. Verify the raw bytes.",
  body_indented:
    "The signature fits the same JSON printed with spaces or indentation: the signer signed another text than it posted.",
  members_reordered:
    "The signature fits the same JSON with its members in the specification's order: the body was parsed and re-serialized. Verify the raw bytes.",
  newline_added:
    "The signature fits the body without the line break at its end. Verify the raw bytes.",
  newline_removed:
    "The signature fits the body with a line break at its end. Verify the raw bytes.",
  bom_added: "The signature fits the body without its byte order mark. Verify the raw bytes.",
  bom_removed: "The signature fits the body with a byte order mark in front. Verify the raw bytes.",
  body_reencoded:
    "The signature fits the body in UTF-8: its bytes were decoded or encoded as another character set. Verify the raw bytes.",
  body_double_encoded:
    "The signature fits the text inside: the body was encoded as a JSON string once more. Verify the raw bytes.",
  body_base64:
    "The signature fits what the body is base64 of. Decode it before you verify, as where a gateway says isBase64Encoded.",
  secret_blanks:
    "The signature fits the secret without the spaces or line breaks around it. Trim it.",
  secret_quoted:
    "The signature fits the secret without the quotation marks around it. Remove them.",
  secret_prefix_added: "The signature fits the secret without `whsec_`. Remove that prefix.",
  secret_prefix_removed:
    "The signature fits the secret with `whsec_` in front. Give it as it was issued.",
  secret_encoded:
    "The signature fits the text that the secret is base64 of. Give the secret as it was issued.",
  secret_decoded:
    "The signature was made with the secret decoded from base64; this header's key is the secret's text.",
  secret_not_decoded:
    "The signature was made with the secret's text; webhook-signature's key is the secret decoded from base64.",
  signature_upper_case: "The signature fits, but in upper-case digits. Pass the header unchanged.",
  signature_prefixed:
    "The signature fits, but has a prefix such as `sha256=`. It stands alone in X-{Service}-Signature; webhook-signature holds `v1,` and base64.",
  signature_base64:
    "The signature fits, but is base64 alone. X-{Service}-Signature holds 64 lower-case hexadecimal digits; webhook-signature holds `v1,` and base64.",
  wrong_header:
    "A signature fits, but stands in the other style's header: hexadecimal belongs in X-{Service}-Signature, `v1,...` in webhook-signature.",
  other_service_name: "A signature fits under another service's name. Set `serviceName`.",

  // Likely
  body_empty: "The body is empty: something read it before.",
  body_is_object_text: "The body is the text [object Object]: a parsed body was turned into text.",
  body_lost_characters:
    "The body holds U+FFFD or is not UTF-8: its bytes were decoded or encoded as the wrong character set, and some are lost.",
  body_compressed:
    "The body starts like gzip data. Requests are never compressed; look for a proxy that does it.",
  secret_placeholder: "A given secret is the text of an empty setting or a placeholder.",
  other_service_header: "A signature came under another service's name, which does not fit either.",
  search_incomplete:
    "Not every usual fault was looked for, because the body is large or deeply nested, or there are many secrets. Most likely the secret is another webhook's or an old one, or the request is forged.",
  other_secret:
    "No usual fault explains it: the secret is most likely another webhook's or an old one, or the request is forged.",
} as const;
