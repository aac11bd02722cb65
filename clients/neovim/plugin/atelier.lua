-- The command :Atelier. What it does is loaded at its first use.
if vim.g.loaded_atelier then return end
vim.g.loaded_atelier = true

vim.api.nvim_create_user_command("Atelier", function(options)
  require("atelier").run(options.fargs[1], vim.trim(options.args:sub(#options.fargs[1] + 1)), options.bang)
end, {
  nargs = "+",
  bang = true,
  desc = "Make pictures of people with Atelier",
  complete = function(lead, line)
    local choices = { "cancel", "edit", "headshot", "history", "places" }
    if line:find("headshot%s+%S*$") then choices = { "auto", "casual", "professional", "transparent", "white" } end
    return vim.tbl_filter(function(each) return vim.startswith(each, lead) end, choices)
  end,
})
