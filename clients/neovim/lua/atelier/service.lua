-- The service: one process for this Neovim. It is started at the first request, and again at the next one after its end.
local M = {}

local current -- the process that takes requests, or nil
local last_id = 0

function M.report(text) vim.notify(text, vim.log.levels.ERROR) end

local function receive(process, line)
  local decoded, message = pcall(vim.json.decode, line, { luanil = { object = true } })
  if not decoded or type(message) ~= "table" then return end
  if message.method == "generation/progress" then
    local request = process.pending[message.params.requestId]
    if request and request.progressed then request.progressed(message.params) end
  elseif message.id then
    local request = process.pending[message.id]
    process.pending[message.id] = nil
    if request then request.answered(message.result, message.error) end
  elseif message.error then
    M.report(message.error.message)
  end
end

-- What arrives is cut anywhere; calls `whole` with each line.
local function lines(whole)
  local rest = ""
  return function(_, pieces)
    pieces[1] = rest .. pieces[1]
    rest = table.remove(pieces)
    for _, line in ipairs(pieces) do whole(line) end
  end
end

local function ended(process)
  if current == process then current = nil end
  local unanswered = process.pending
  process.pending = {}
  if next(unanswered) and vim.v.exiting == vim.NIL then
    M.report(table.concat({ "Atelier's service has ended.", unpack(process.log) }, "\n"))
  end
  for _, request in pairs(unanswered) do request.answered(nil, nil) end
end

local function is_utf8(text)
  for _, sequence in ipairs({ "[%z\1-\127]", "[\194-\223][\128-\191]", "[\224-\239][\128-\191][\128-\191]",
    "[\240-\244][\128-\191][\128-\191][\128-\191]" }) do
    text = text:gsub(sequence, " ")
  end
  return not text:find("[^ ]")
end

local function send(process, message)
  message.jsonrpc = "2.0"
  -- A service that has just died is reported by its end.
  pcall(vim.fn.chansend, process.job, vim.json.encode(message) .. "\n")
end

-- The languages of the environment, the preferred one first. The service reads the names of locales as language tags.
local function locale()
  local name = ""
  for _, variable in ipairs({ "LC_ALL", "LC_MESSAGES", "LANG" }) do
    if name == "" then name = vim.env[variable] or "" end
  end
  local language = name:gsub("[.@].*", "")
  -- Where no language is set, LANGUAGE does not count.
  if language == "" or language == "C" or language == "POSIX" then return nil end
  local names = vim.split(vim.env.LANGUAGE or "", ":", { trimempty = true })
  table.insert(names, name)
  return table.concat(names, ",")
end

local function start()
  local command = vim.g.atelier_command or "atelier"
  command = type(command) == "table" and vim.list_extend({}, command) or { command }
  if vim.fn.executable(command[1]) == 0 then
    return M.report(("The program %s is not installed.\n"):format(command[1])
      .. "Install Atelier as its README says, or set g:atelier_command to the path of its executable.")
  end
  if vim.g.atelier_data_directory then
    vim.list_extend(command, { "--data-dir", vim.fn.fnamemodify(vim.g.atelier_data_directory, ":p") })
  end
  local process = { pending = {}, log = {} }
  -- Neovim gives each job a process group of its own, which Ctrl-C does not reach, and ends it with a signal, on which the
  -- service cancels what it makes.
  local started, job = pcall(vim.fn.jobstart, command, {
    on_stdout = lines(function(line) receive(process, line) end),
    on_stderr = lines(function(line)
      table.insert(process.log, line)
      if #process.log > 4 then table.remove(process.log, 1) end
    end),
    on_exit = function() ended(process) end,
  })
  if not started or job <= 0 then return M.report("Atelier's service cannot be started: " .. tostring(job)) end
  process.job, current = job, process
  M.request("initialize", {
    clientInfo = { name = "neovim" }, processId = vim.fn.getpid(), locale = locale(),
  }, function(_, failure) if failure then M.report(failure.message) end end)
  return process
end

--- Sends a request, and calls `answered` once: with the result, with an error, or with neither if the service ended, which
--- is then reported already. `progressed` gets the params of each generation/progress.
--- Returns the id for `cancel`, or nil if it was not sent, which is reported as well.
function M.request(method, params, answered, progressed)
  if not is_utf8(vim.json.encode(params)) then
    return M.report("This is not UTF-8, and Atelier takes nothing else: rename the file, or change the words.")
  end
  local process = current or start()
  if not process then return nil end
  last_id = last_id + 1
  process.pending[last_id] = { answered = answered, progressed = progressed }
  send(process, { id = last_id, method = method, params = params })
  return last_id
end

--- Cancels the request, which is then still answered.
function M.cancel(id)
  if current then send(current, { method = "$/cancelRequest", params = { id = id } }) end
end

return M
