"""What each exception class of the SDKs and of their transport means when it carries no answer."""

from __future__ import annotations

from audit.errors import ProviderErrorKind as Kind

_STATUS_CLASSES = {
    "APIStatusError": Kind.BAD_RESPONSE,
    "BadRequestError": Kind.BAD_REQUEST,
    "AuthenticationError": Kind.AUTH,
    "PermissionDeniedError": Kind.AUTH,
    "NotFoundError": Kind.NOT_FOUND,
    "ConflictError": Kind.SERVER,
    "UnprocessableEntityError": Kind.BAD_REQUEST,
    "RateLimitError": Kind.RATE_LIMITED,
    "InternalServerError": Kind.SERVER,
    "APIError": Kind.BAD_RESPONSE,
    "APIResponseValidationError": Kind.BAD_RESPONSE,
    "APIConnectionError": Kind.CONNECTION,
    "APITimeoutError": Kind.TIMEOUT,
}

_OPENAI = _STATUS_CLASSES | {
    "OpenAIError": Kind.BAD_RESPONSE,
    "OAuthError": Kind.AUTH,
    "SubjectTokenProviderError": Kind.AUTH,
    "LengthFinishReasonError": Kind.BAD_RESPONSE,
    "ContentFilterFinishReasonError": Kind.BAD_RESPONSE,
    "InvalidWebhookSignatureError": Kind.BAD_RESPONSE,
    "WebSocketConnectionClosedError": Kind.CONNECTION,
    "WebSocketQueueFullError": Kind.CONNECTION,
    "MissingDependencyError": Kind.BAD_RESPONSE,
    "StreamAlreadyConsumed": Kind.BAD_RESPONSE,
    "APIRemovedInV1": Kind.BAD_RESPONSE,
    "MutuallyExclusiveAuthError": Kind.AUTH,
    "AgentFilePreparationError": Kind.BAD_RESPONSE,
    "AgentFileStagingError": Kind.BAD_RESPONSE,
    "AgentOutputParseError": Kind.BAD_RESPONSE,
    "AgentTurnResultError": Kind.BAD_RESPONSE,
    "_AmbiguousModuleClientUsageError": Kind.BAD_RESPONSE,
}

_ANTHROPIC = _STATUS_CLASSES | {
    "AnthropicError": Kind.BAD_RESPONSE,
    "APIWebhookValidationError": Kind.BAD_RESPONSE,
    "PaymentRequiredError": Kind.QUOTA,
    "RequestTimeoutError": Kind.TIMEOUT,
    "PreconditionFailedError": Kind.BAD_REQUEST,
    "ContentTooLargeError": Kind.CONTEXT_TOO_LONG,
    "RequestHeaderFieldsTooLargeError": Kind.BAD_REQUEST,
    "ClientClosedRequestError": Kind.CONNECTION,
    "HTTPNotImplementedError": Kind.SERVER,
    "ServiceUnavailableError": Kind.OVERLOADED,
    "GatewayTimeoutError": Kind.TIMEOUT,
    "OverloadedError": Kind.OVERLOADED,
    "RetryableError": Kind.SERVER,
    "CredentialsError": Kind.AUTH,
    "IdentityTokenFileError": Kind.AUTH,
    "WorkloadIdentityError": Kind.AUTH,
    "MutuallyExclusiveAuthError": Kind.AUTH,
    "MissingDependencyError": Kind.BAD_RESPONSE,
    "StreamAlreadyConsumed": Kind.BAD_RESPONSE,
    "ToolsetUsageError": Kind.BAD_RESPONSE,
    "ContractSpendLimitReachedError": Kind.QUOTA,
    "EnforcedSpendLimitReachedError": Kind.QUOTA,
    "LinkedOrganizationSpendLimitReachedError": Kind.QUOTA,
    "OrganizationOnHoldError": Kind.AUTH,
}

_GOOGLE = _STATUS_CLASSES | {  # those are of its decisions
    "GeminiNextGenAPIClientError": Kind.BAD_RESPONSE,
    "APIWebSocketError": Kind.CONNECTION,
    "ClientError": Kind.BAD_REQUEST,
    "ServerError": Kind.SERVER,
    "UnknownFunctionCallArgumentError": Kind.BAD_RESPONSE,
    "UnsupportedFunctionError": Kind.BAD_RESPONSE,
    "FunctionInvocationError": Kind.BAD_RESPONSE,
    "UnknownApiResponseError": Kind.BAD_RESPONSE,
    "ContinuationInterruptedError": Kind.CONNECTION,
}

_TRANSPORT = {
    "HTTPError": Kind.CONNECTION,
    "RequestError": Kind.CONNECTION,
    "TransportError": Kind.CONNECTION,
    "TimeoutException": Kind.TIMEOUT,
    "ConnectTimeout": Kind.TIMEOUT,
    "ReadTimeout": Kind.TIMEOUT,
    "WriteTimeout": Kind.TIMEOUT,
    "PoolTimeout": Kind.TIMEOUT,
    "NetworkError": Kind.CONNECTION,
    "ReadError": Kind.CONNECTION,
    "WriteError": Kind.CONNECTION,
    "ConnectError": Kind.CONNECTION,
    "CloseError": Kind.CONNECTION,
    "ProxyError": Kind.CONNECTION,
    "ProtocolError": Kind.CONNECTION,
    "LocalProtocolError": Kind.CONNECTION,
    "RemoteProtocolError": Kind.CONNECTION,
    "UnsupportedProtocol": Kind.NOT_FOUND,
    "TooManyRedirects": Kind.NOT_FOUND,
    "InvalidURL": Kind.NOT_FOUND,
    "DecodingError": Kind.BAD_RESPONSE,
    "HTTPStatusError": Kind.BAD_RESPONSE,
    "CookieConflict": Kind.BAD_RESPONSE,
    "StreamError": Kind.CONNECTION,
    "StreamConsumed": Kind.CONNECTION,
    "StreamClosed": Kind.CONNECTION,
    "ResponseNotRead": Kind.CONNECTION,
    "RequestNotRead": Kind.CONNECTION,
}

_OTHERS = {
    "anyio.EndOfStream": Kind.CONNECTION,
    "anyio.BrokenResourceError": Kind.CONNECTION,
    "anyio.ClosedResourceError": Kind.CONNECTION,
    "builtins.TimeoutError": Kind.TIMEOUT,
    "builtins.UnicodeDecodeError": Kind.BAD_RESPONSE,
    "json.JSONDecodeError": Kind.BAD_RESPONSE,
}

KIND_BY_CLASS: dict[str, Kind] = _OTHERS | {
    f"{package}.{name}": kind
    for package, classes in (
        ("openai", _OPENAI),
        ("anthropic", _ANTHROPIC),
        ("google", _GOOGLE),
        ("httpx2", _TRANSPORT),
    )
    for name, kind in classes.items()
}
"""By top package and class name, so that no SDK is imported to read it."""
