SwaggerUIBundle({url:"/openapi.json",dom_id:"#reference",deepLinking:!0,tryItOutEnabled:!0,validatorUrl:null});
