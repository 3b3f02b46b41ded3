import "@fastify/swagger-ui/static/swagger-ui.css";
// Of this package only the built files are used: they are Swagger UI without a script that runs at installation.
import SwaggerUI from "@fastify/swagger-ui/static/swagger-ui-bundle.js";

/** The API reference, made from the document that the service itself serves. */
SwaggerUI({
  dom_id: "#reference",
  // Relative to the page, so that it is right behind any path prefix.
  url: "../v1/openapi.json",
  deepLinking: true,
  docExpansion: "list",
  persistAuthorization: false,
  validatorUrl: null,
});
